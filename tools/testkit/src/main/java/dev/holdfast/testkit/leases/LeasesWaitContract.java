package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireResult;
import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of waiting for a key that another holder has. */
interface LeasesWaitContract extends LeasesSteps {
    /** The largest difference between two clocks that measure the same wait. */
    Duration CLOCK_GRAIN = Duration.ofMillis(20);

    @Test
    default void aTimedOutWaitReturnsTheHolder() {
        acquireAndRenew(ann());

        var waiting = waitFor(bob(), term());
        assertThat(waiting).isNotDone();
        elapse(term());

        var result = soon(waiting);
        assertThat(assertHeld(result).holder()).isEqualTo(Holder.of("ann"));
    }

    @Test
    default void aTimedOutWaitReturnsTheTimeLeftAtItsEnd() {
        acquire(ann(), KEY);
        Duration wait = term().multipliedBy(2).dividedBy(3);
        var waiting = waitFor(bob(), wait);
        elapse(wait);

        var held = assertHeld(soon(waiting));

        assertThat(held.remaining()).isLessThanOrEqualTo(patience().minus(wait).plus(CLOCK_GRAIN));
    }

    @Test
    default void aWaitOfZeroDoesNotWait() throws InterruptedException {
        assertThat(bob().acquire(KEY, unrenewed(), Duration.ZERO).isGranted()).isTrue();
        assertHeld(bob().acquire(KEY, unrenewed(), Duration.ZERO));
    }

    @Test
    default void aFreeKeyIsGrantedWithoutWaiting() throws InterruptedException {
        assertThat(bob().acquire(KEY, unrenewed(), aLongTime()).isGranted()).isTrue();
    }

    @Test
    default void aDoneKeyEndsTheWait() {
        needs(StoreFeature.DONE);
        var lease = acquireAndRenew(ann());
        var waiting = waitFor(bob(), aLongTime());
        assertThat(waiting).isNotDone();

        lease.done();

        assertThat(soon(waiting)).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    default void aReleaseEndsTheWaitOfAnotherClient() {
        var lease = acquireAndRenew(ann());
        var waiting = waitFor(bob(), aLongTime());

        lease.release();

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    default void anEvictionEndsTheWait() {
        acquireAndRenew(ann());
        var waiting = waitFor(bob(), aLongTime());

        bob().evict(KEY, "others wait");

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    default void theExpiryOfTheHolderEndsTheWait() {
        var lease = acquire(ann(), KEY);
        var waiting = waitFor(bob(), aLongTime());
        elapse(term().dividedBy(2));
        assertThat(waiting.isDone() && lease.isHeld()).isFalse();

        outlast();

        assertThat(soon(waiting).isGranted()).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    default void waitersOfOneClientAreServedInOrder() {
        var lease = acquireAndRenew(ann());
        List<Integer> served = new ArrayList<>();
        List<CompletableFuture<AcquireResult>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(waitFor(bob(), aLongTime()));
        }

        lease.release();
        for (int i = 0; i < 3; i++) {
            var granted = soon(waiting.get(i)).orThrow();
            served.add(i);
            assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
            granted.release();
        }

        assertThat(served).containsExactly(0, 1, 2);
    }

    @Test
    default void aTryAcquireDoesNotOvertakeWaiters() {
        var lease = acquireAndRenew(ann());
        var waiting = waitFor(bob(), aLongTime());
        assertThat(waiting).isNotDone();

        lease.release();
        var overtaking = soon(bob().async().tryAcquire(KEY, unrenewed()));

        assertThat(soon(waiting).isGranted()).isTrue();
        assertHeld(overtaking);
    }

    @Test
    default void aClientThatReleasesHandsOverToItsOwnWaiters() {
        needs(StoreFeature.FENCE);
        var lease = acquireAndRenew(ann());
        var waiting = waitFor(ann(), aLongTime());
        assertThat(waiting).isNotDone();

        assertThat(lease.release()).isTrue();

        var next = soon(waiting).orThrow();
        assertThat(next.fence().isAbove(lease.fence())).isTrue();
        assertThat(lease.release()).as("once more").isTrue();
        assertThat(ann().release(KEY, lease.token())).as("by its token").isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(status(bob()).fence()).isEqualTo(next.fence());
    }

    @Test
    default void theEndOfAnAnchorEndsTheWaitForItsChild() {
        var anchor = anchor(ann());
        under(ann(), anchor, KEY);
        var waiting = waitFor(ann(), aLongTime());
        assertThat(waiting).isNotDone();

        anchor.close();

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    default void aCancelledWaitLeavesNothingHeld() {
        var lease = acquireAndRenew(ann());
        var cancelled = waitFor(bob(), aLongTime());
        var next = waitFor(bob(), aLongTime());

        cancelled.cancel(false);
        settled();
        lease.release();

        soon(next).orThrow().release();
        assertThat(status(ann()).state()).isEqualTo(LeaseState.FREE);
        acquire(ann(), KEY);
    }

    @Test
    default void anInterruptEndsTheWaitAndLeavesNothingHeld() {
        var lease = acquireAndRenew(ann());

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> bob().acquire(KEY, unrenewed(), aLongTime()));
        assertThat(Thread.interrupted()).isFalse();

        settled();
        lease.release();
        assertThat(status(ann()).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    default void aWaitingThreadCanBeInterrupted() {
        var lease = acquireAndRenew(ann());
        var waiting = startWaiting(bob());

        waiting.thread().interrupt();

        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        settled();
        lease.release();
        assertThat(status(ann()).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    default void anInterruptIsKeptByCallsThatCannotBeInterrupted() {
        Thread.currentThread().interrupt();

        var lease = acquire(ann(), KEY);
        lease.renew();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.isHeld()).isTrue();
    }
}
