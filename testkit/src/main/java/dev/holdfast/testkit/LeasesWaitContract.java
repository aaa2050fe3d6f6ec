package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Holder;
import dev.holdfast.model.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Waiting for a holder to give way. */
abstract class LeasesWaitContract extends LeasesEndContract {
    private CompletableFuture<AcquireResult> waitFor(Leases client, Duration wait) {
        return client.async().acquire(KEY, unrenewed(), wait).toCompletableFuture();
    }

    private Duration aLongTime() {
        return term().multipliedBy(10);
    }

    @Test
    void aWaitInVainEndsWithTheHolder() {
        ann().tryAcquire(KEY, renewed()).orThrow();

        CompletableFuture<AcquireResult> waiting = waitFor(bob(), term());
        assertThat(waiting).isNotDone();
        elapse(term());

        AcquireResult result = soon(waiting);
        assertThat(result).isInstanceOf(AcquireResult.Held.class);
        assertThat(((AcquireResult.Held) result).holder()).isEqualTo(Holder.of("ann"));
    }

    @Test
    void aWaitOfZeroDoesNotWait() throws InterruptedException {
        assertThat(bob().acquire(KEY, unrenewed(), Duration.ZERO).isGranted()).isTrue();
        assertThat(bob().acquire(KEY, unrenewed(), Duration.ZERO)).isInstanceOf(AcquireResult.Held.class);
    }

    @Test
    void aFreeKeyIsGrantedWithoutWaiting() throws InterruptedException {
        assertThat(bob().acquire(KEY, unrenewed(), aLongTime()).isGranted()).isTrue();
    }

    @Test
    void aDoneKeyEndsTheWait() {
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
    void aHolderThatFallsSilentEndsTheWait() {
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
    void aCancelledWaitLeavesNothingHeld() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> cancelled = waitFor(bob(), aLongTime());
        CompletableFuture<AcquireResult> next = waitFor(bob(), aLongTime());

        cancelled.cancel(false);
        lease.release();

        soon(next).orThrow().release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
        acquire(ann(), KEY);
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothingHeld() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> bob().acquire(KEY, unrenewed(), aLongTime()));
        assertThat(Thread.interrupted()).isFalse();

        lease.release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
    }

    @Test
    void aThreadThatWaitsCanBeInterrupted() throws Exception {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        Leases client = bob();
        FutureTask<Boolean> wait = new FutureTask<>(() -> {
            try {
                client.acquire(KEY, unrenewed(), aLongTime());
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        });
        Thread thread = new Thread(wait, "waits to be interrupted");
        thread.start();
        until(() -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);

        thread.interrupt();

        assertThat(wait.get(10, TimeUnit.SECONDS)).isTrue();
        lease.release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
    }

    @Test
    void closingTheClientEndsTheWait() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());

        bob().close();

        assertThat(failureOf(waiting)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        lease.release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
    }

    @Test
    void anInterruptIsKeptByCallsThatCannotBeInterrupted() {
        Thread.currentThread().interrupt();

        Lease lease = acquire(ann(), KEY);
        lease.update(AttributePatch.putting("x", 1));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.isHeld()).isTrue();
    }
}
