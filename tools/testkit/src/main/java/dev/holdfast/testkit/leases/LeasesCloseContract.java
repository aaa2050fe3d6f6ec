package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.RenewOptions;
import dev.holdfast.Token;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of closing a client: it ends leases and waits, and a closed client refuses every call. */
interface LeasesCloseContract extends LeasesSteps {
    int PATIENCE_SECONDS = 30;

    Token TOKEN = Token.of(UUID.randomUUID());

    @Test
    default void closingAClientReleasesAllItsLeases() {
        var auto = acquireAndRenew(ann());
        var manual = acquire(ann(), OTHER);

        ann().close();
        ann().close();

        assertThat(auto.isHeld()).isFalse();
        assertThat(manual.isHeld()).isFalse();
        acquire(bob(), auto.key());
        acquire(bob(), manual.key());
        assertThatIllegalStateException().isThrownBy(() -> ann().tryAcquire("third"));
    }

    @Test
    default void closingTheClientEndsTheWait() {
        var lease = acquireAndRenew(ann());
        var waiting = waitFor(bob(), aLongTime());

        bob().close();

        assertThat(failureOf(waiting)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        lease.release();
        assertThat(status(ann()).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    default void closingTheClientEndsTheWaitOfAThread() {
        acquireAndRenew(ann());
        var waiting = startWaiting(bob());

        bob().close();

        assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    @Test
    @Timeout(value = PATIENCE_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void aClosedClientRefusesToChangeAnything() {
        var closed = ann();
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
    default void aClosedClientRefusesReadsAndCleanUp() {
        var closed = ann();
        closed.close();

        assertRefusedAsClosed(List.of(
                () -> closed.get(KEY),
                () -> closed.list(LeaseFilter.all()).count(),
                () -> closed.cleanUp(CleanUpOptions.idle(1))));
    }

    @Test
    default void aClosedClientThrowsFromTheAsynchronousCallItself() {
        var closed = ann().async();
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
