package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.Token;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of closing a client: it ends leases and waits, and a closed client refuses every call. */
abstract class LeasesCloseContract extends LeasesListContract {
    private static final int PATIENCE_SECONDS = 30;

    private static final Token TOKEN = Token.of(UUID.randomUUID());

    @Test
    void closingAClientReleasesAllItsLeases() {
        Lease auto = ann().tryAcquire(KEY, renewed()).orThrow();
        Lease manual = acquire(ann(), Key.of("other"));

        ann().close();
        ann().close();

        assertThat(auto.isHeld()).isFalse();
        assertThat(manual.isHeld()).isFalse();
        acquire(bob(), auto.key());
        acquire(bob(), manual.key());
        assertThatIllegalStateException().isThrownBy(() -> ann().tryAcquire("third"));
    }

    @Test
    void closingTheClientEndsTheWait() {
        Lease lease = ann().tryAcquire(KEY, renewed()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob(), aLongTime());

        bob().close();

        assertThat(failureOf(waiting)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        lease.release();
        assertThat(ann().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void closingTheClientEndsTheWaitOfAThread() {
        ann().tryAcquire(KEY, renewed()).orThrow();
        WaitingThread waiting = startWaiting(bob());

        bob().close();

        assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    @Test
    @Timeout(value = PATIENCE_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aClosedClientRefusesToChangeAnything() {
        Leases closed = ann();
        closed.close();

        assertRefusedAsClosed(List.of(
                () -> closed.tryAcquire(KEY, renewed()),
                () -> closed.acquire(KEY, renewed(), Duration.ZERO),
                () -> closed.anchor("worker", term()),
                () -> closed.renew(KEY, TOKEN),
                () -> closed.release(KEY, TOKEN),
                () -> closed.done(KEY, TOKEN, AttributePatch.NONE),
                () -> closed.update(KEY, TOKEN, AttributePatch.NONE),
                () -> closed.reopen(KEY),
                () -> closed.delete(KEY),
                () -> closed.evict(KEY, "it hangs")));
        assertThat(bob().get(KEY)).isEmpty();
    }

    @Test
    @Timeout(value = PATIENCE_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aClosedClientRefusesReadsAndCleanUp() {
        Leases closed = ann();
        closed.close();

        assertRefusedAsClosed(List.of(
                () -> closed.get(KEY),
                () -> closed.list(LeaseFilter.all()).count(),
                () -> closed.cleanUp(CleanUpOptions.idle(1))));
    }

    @Test
    void aClosedClientThrowsFromTheAsynchronousCallItself() {
        AsyncLeases closed = ann().async();
        ann().close();

        assertRefusedAsClosed(List.of(
                () -> closed.tryAcquire(KEY, renewed()),
                () -> closed.acquire(KEY, renewed(), aLongTime()),
                () -> closed.anchor("worker", term()),
                () -> closed.renew(KEY, TOKEN, RenewOptions.defaults()),
                () -> closed.release(KEY, TOKEN),
                () -> closed.done(KEY, TOKEN, AttributePatch.NONE),
                () -> closed.update(KEY, TOKEN, AttributePatch.NONE),
                () -> closed.reopen(KEY),
                () -> closed.delete(KEY, null),
                () -> closed.evict(KEY, "it hangs"),
                () -> closed.get(KEY),
                () -> closed.list(LeaseFilter.all(), null, 1),
                () -> closed.cleanUp(CleanUpOptions.idle(1))));
    }

    private static void assertRefusedAsClosed(List<ThrowingCallable> calls) {
        for (int i = 0; i < calls.size(); i++) {
            assertThatIllegalStateException()
                    .as("call %s of %s", i + 1, calls.size())
                    .isThrownBy(calls.get(i))
                    .withMessageContaining("closed");
        }
    }
}
