package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.StoreFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests of waiting for a key that another holder has. */
abstract class LeasesWaitContract extends LeasesEndContract {
    private static final int LONGEST_START_MILLIS = 30_000;

    /** The largest difference between two clocks that measure the same wait. */
    private static final Duration CLOCK_GRAIN = Duration.ofMillis(20);

    final CompletableFuture<AcquireResult> waitFor(Leases client, Duration wait) {
        return client.async().acquire(KEY, unrenewed(), wait).toCompletableFuture();
    }

    final Duration aLongTime() {
        return term().multipliedBy(10);
    }

    /** Calls the blocking form on its own thread; returns once that thread waits. */
    final WaitingThread startWaiting(Leases client) {
        FutureTask<AcquireResult> result = new FutureTask<>(() -> client.acquire(KEY, unrenewed(), aLongTime()));
        Thread thread = new Thread(result, "waits for " + KEY);
        thread.setDaemon(true);
        thread.start();
        // Without letting time pass: otherwise the wait could be over before a slow machine has begun it.
        for (int round = 0; round < LONGEST_START_MILLIS && !isWaiting(thread); round++) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(isWaiting(thread)).as("the thread waits").isTrue();
        return new WaitingThread(thread, result);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    record WaitingThread(Thread thread, FutureTask<AcquireResult> result) {
        Throwable failure() {
            ExecutionException thrown =
                    catchThrowableOfType(ExecutionException.class, () -> result.get(10, TimeUnit.SECONDS));
            assertThat(thrown).as("the failure that ended the wait").isNotNull();
            return Objects.requireNonNull(thrown.getCause());
        }
    }

    @Test
    void aTimedOutWaitReturnsTheHolder() {
        ann().tryAcquire(KEY, renewed()).orThrow();

        CompletableFuture<AcquireResult> waiting = waitFor(bob(), term());
        assertThat(waiting).isNotDone();
        elapse(term());

        AcquireResult result = soon(waiting);
        assertThat(result).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(((AcquireResult.HeldByAnother) result).holder()).isEqualTo(Holder.of("ann"));
    }

    @Test
    void aTimedOutWaitReturnsTheTimeLeftAtItsEnd() {
        acquire(ann(), KEY);
        Duration wait = term().multipliedBy(2).dividedBy(3);
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), wait);
        elapse(wait);

        AcquireResult.HeldByAnother held = (AcquireResult.HeldByAnother) soon(waiting);

        assertThat(held.remaining()).isLessThanOrEqualTo(patience().minus(wait).plus(CLOCK_GRAIN));
    }

    @Test
    void aWaitOfZeroDoesNotWait() throws InterruptedException {
        assertThat(bob().acquire(KEY, unrenewed(), Duration.ZERO).isGranted()).isTrue();
        assertThat(bob().acquire(KEY, unrenewed(), Duration.ZERO)).isInstanceOf(AcquireResult.HeldByAnother.class);
    }

    @Test
    void aFreeKeyIsGrantedWithoutWaiting() throws InterruptedException {
        assertThat(bob().acquire(KEY, unrenewed(), aLongTime()).isGranted()).isTrue();
    }

    @Test
    void aDoneKeyEndsTheWait() {
        needs(StoreFeature.DONE);
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());
        assertThat(waiting).isNotDone();

        lease.done();

        assertThat(soon(waiting)).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    void aReleaseEndsTheWaitOfAnotherClient() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());

        lease.release();

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    void anEvictionEndsTheWait() {
        ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());

        bob().evict(KEY, "others wait");

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    void theExpiryOfTheHolderEndsTheWait() {
        Lease lease = acquire(ann(), KEY);
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());
        elapse(term().dividedBy(2));
        assertThat(waiting.isDone() && lease.isHeld()).isFalse();

        outlast();

        assertThat(soon(waiting).isGranted()).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void waitersOfOneClientAreServedInOrder() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        List<Integer> served = new ArrayList<>();
        List<CompletableFuture<AcquireResult>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(waitFor(bob(), aLongTime()));
        }

        lease.release();
        for (int i = 0; i < 3; i++) {
            Lease granted = soon(waiting.get(i)).orThrow();
            served.add(i);
            assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
            granted.release();
        }

        assertThat(served).containsExactly(0, 1, 2);
    }

    @Test
    void aTryAcquireDoesNotOvertakeWaiters() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());
        assertThat(waiting).isNotDone();

        lease.release();
        AcquireResult overtaking = soon(bob().async().tryAcquire(KEY, unrenewed()));

        assertThat(soon(waiting).isGranted()).isTrue();
        assertThat(overtaking).isInstanceOf(AcquireResult.HeldByAnother.class);
    }

    @Test
    void aClientThatReleasesHandsOverToItsOwnWaiters() {
        needs(StoreFeature.FENCE);
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(ann(), aLongTime());
        assertThat(waiting).isNotDone();

        assertThat(lease.release()).isTrue();

        Lease next = soon(waiting).orThrow();
        assertThat(next.fence().isAbove(lease.fence())).isTrue();
        assertThat(lease.release()).as("once more").isTrue();
        assertThat(ann().release(KEY, lease.token())).as("by its token").isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(bob().get(KEY).orElseThrow().fence()).isEqualTo(next.fence());
    }

    @Test
    void theEndOfAnAnchorEndsTheWaitForItsChild() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = soon(ann().async().anchor("worker", term()));
        ann().tryAcquire(KEY, renewed().under(anchor)).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(ann(), aLongTime());
        assertThat(waiting).isNotDone();

        anchor.close();

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    void aCancelledWaitLeavesNothingHeld() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> cancelled = waitFor(bob(), aLongTime());
        CompletableFuture<AcquireResult> next = waitFor(bob(), aLongTime());

        cancelled.cancel(false);
        settled();
        lease.release();

        soon(next).orThrow().release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
        acquire(ann(), KEY);
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothingHeld() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> bob().acquire(KEY, unrenewed(), aLongTime()));
        assertThat(Thread.interrupted()).isFalse();

        settled();
        lease.release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aWaitingThreadCanBeInterrupted() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        WaitingThread waiting = startWaiting(bob());

        waiting.thread().interrupt();

        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        settled();
        lease.release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void anInterruptIsKeptByCallsThatCannotBeInterrupted() {
        Thread.currentThread().interrupt();

        Lease lease = acquire(ann(), KEY);
        lease.renew();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.isHeld()).isTrue();
    }
}
