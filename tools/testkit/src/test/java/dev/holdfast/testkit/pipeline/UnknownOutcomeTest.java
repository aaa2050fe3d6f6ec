package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.EditResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of how the pipeline handles requests without a response from the store. */
class UnknownOutcomeTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofMinutes(5);
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(TERM).autoRenew(false);
    private static final Duration OPERATION = Duration.ofSeconds(10);
    private static final Duration SETTLE = Duration.ofSeconds(5);

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore inner = new MemoryStore(runtime);
    private final FaultyStore store = FaultyStore.around(inner);
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder()
                    .holder("ann")
                    .environment(runtime)
                    .operationTimeout(OPERATION)
                    .settleTimeout(SETTLE)
                    .build());
    private final Leases observer = Holdfast.open(
            inner, LeasesOptions.builder().holder("bob").environment(runtime).build());

    @AfterEach
    void close() {
        store.heal();
        leases.close();
        observer.close();
        runtime.close();
    }

    private CompletableFuture<AcquireResult> acquire() {
        return leases.async().tryAcquire(KEY, OPTIONS).toCompletableFuture();
    }

    private void assertFailed(CompletionStage<?> stage, Effect effect, String words) {
        assertThat(stage.toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(StoreException.class, e -> {
                    assertThat(e.effect()).isEqualTo(effect);
                    assertThat(e.key()).contains(KEY);
                    assertThat(e).hasMessageContaining(words);
                });
    }

    @Test
    void aRetryRecoversALostResponse() {
        store.next(StoreFault.LOSE_ANSWER);
        CompletableFuture<AcquireResult> result = acquire();
        assertThat(result).isNotDone();

        runtime.advance(Duration.ofSeconds(1));

        assertThat(result.join().isGranted()).isTrue();
        assertThat(observer.get(KEY).orElseThrow().entry().grants()).isEqualTo(1);
        assertThat(store.calls().applies()).isEqualTo(2);
    }

    @Test
    void lostRequestsAndUnexpectedFailuresAreRetried() {
        store.next(StoreFault.LOSE_REQUEST, StoreFault.CRASH, StoreFault.FAIL);
        CompletableFuture<AcquireResult> result = acquire();

        runtime.advance(Duration.ofSeconds(1));

        assertThat(result.join().isGranted()).isTrue();
        assertThat(observer.get(KEY).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void theTermCountsFromBeforeTheFirstSend() {
        long sentNanos = runtime.nanos();
        store.next(StoreFault.LOSE_ANSWER, StoreFault.LOSE_ANSWER, StoreFault.LOSE_ANSWER);
        CompletableFuture<AcquireResult> result = acquire();
        runtime.advance(Duration.ofSeconds(1));

        Lease lease = result.join().orThrow();

        assertThat(lease.remaining()).isEqualTo(TERM.minusNanos(runtime.nanos() - sentNanos));
    }

    @Test
    void anUnappliedRequestIsReportedAsNotApplied() {
        store.always(Call.APPLY, StoreFault.FAIL);
        CompletableFuture<AcquireResult> result = acquire();

        runtime.advance(OPERATION);

        assertFailed(result, Effect.NOT_APPLIED, "the request was not applied");
        assertThat(observer.get(KEY)).isEmpty();
    }

    @Test
    void anAbandonedInsertCanNeverBeApplied() {
        store.always(Call.APPLY, StoreFault.DELIVER_LATE);
        CompletableFuture<AcquireResult> result = acquire();
        runtime.advance(OPERATION);
        assertThat(result).isNotDone();
        store.heal();
        runtime.advance(SETTLE);

        assertFailed(result, Effect.NOT_APPLIED, "the request was not applied");
        assertThat(store.deliverLate())
                .isNotEmpty()
                .allMatch(writeOutcome -> writeOutcome instanceof WriteOutcome.Conflict);
        assertThat(observer.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
        assertThat(observer.get(KEY).orElseThrow().holder()).isEmpty();
    }

    @Test
    void anAbandonedReplacementCanNeverBeApplied() {
        acquire().join().orThrow().release();
        store.always(Call.APPLY, StoreFault.DELIVER_LATE);
        CompletableFuture<AcquireResult> result = acquire();
        runtime.advance(OPERATION);
        store.heal();
        runtime.advance(SETTLE);

        assertFailed(result, Effect.NOT_APPLIED, "the request was not applied");
        assertThat(store.deliverLate())
                .isNotEmpty()
                .allMatch(writeOutcome -> writeOutcome instanceof WriteOutcome.Conflict);
        assertThat(observer.get(KEY).orElseThrow().entry().grants()).isEqualTo(1);
        assertThat(observer.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
    }

    @Test
    void anAbandonedGrantThatWasAppliedIsReleased() {
        store.next(StoreFault.LOSE_ANSWER).always(Call.APPLY, StoreFault.LOSE_REQUEST);
        CompletableFuture<AcquireResult> result = acquire();
        runtime.advance(OPERATION);
        store.heal();
        runtime.advance(SETTLE);

        assertThat(result).isCompletedExceptionally();
        assertThat(observer.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
        assertThat(observer.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
    }

    @Test
    void aRequestThatCannotBeSettledIsReportedAsUnknown() {
        store.always(Call.APPLY, StoreFault.LOSE_REQUEST);
        CompletableFuture<AcquireResult> result = acquire();

        runtime.advance(OPERATION.plus(SETTLE));

        assertFailed(result, Effect.UNKNOWN, "may have been applied, or may yet be");
    }

    @Test
    void aLateRequestThatIsAppliedDuringItsRetryCountsOnce() {
        store.next(StoreFault.DELIVER_LATE, StoreFault.LOSE_REQUEST);
        CompletableFuture<AcquireResult> result = acquire();
        assertThat(store.deliverLate()).containsExactly(WriteOutcome.APPLIED);

        runtime.advance(Duration.ofSeconds(1));

        Lease lease = result.join().orThrow();
        assertThat(observer.get(KEY).orElseThrow().fence()).isEqualTo(lease.fence());
        assertThat(observer.get(KEY).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void doneAndReleaseWithALostResponseSucceed() {
        Lease lease = acquire().join().orThrow();
        store.next(StoreFault.LOSE_ANSWER);
        CompletableFuture<Void> updated =
                lease.updateAsync(AttributePatch.putting("x", 1)).toCompletableFuture();
        runtime.advance(Duration.ofSeconds(1));
        assertThat(updated).isCompleted();

        store.next(StoreFault.LOSE_ANSWER);
        CompletableFuture<Void> done = lease.doneAsync(AttributePatch.NONE).toCompletableFuture();
        runtime.advance(Duration.ofSeconds(1));
        assertThat(done).isCompleted();
        assertThat(observer.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.DONE);
    }

    /** A second deletion could remove an entry that was written in between. */
    @Test
    void aDeletionInDoubtIsNotDecidedAgain() {
        acquire().join().orThrow().release();
        store.next(StoreFault.LOSE_ANSWER);
        CompletableFuture<EditResult> deleted = leases.async().delete(KEY, null).toCompletableFuture();
        Lease bobs = observer.tryAcquire(KEY, OPTIONS).orThrow();
        bobs.done();

        runtime.advance(OPERATION);

        assertFailed(deleted, Effect.UNKNOWN, "may have been applied");
        assertThat(observer.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.DONE);
    }
}
