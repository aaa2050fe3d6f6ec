package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of batches in which the store reports a failure of one change only. */
class ChangeInTroubleTest {
    private static final Key GOOD = Key.of("good");
    private static final Key BAD = Key.of("bad");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final PickyStore store = new PickyStore(new MemoryStore(runtime));
    private final Leases leases =
            Holdfast.open(store, LeasesOptions.builder().environment(runtime).build());

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
    }

    @Test
    void anUnappliedChangeIsRetried() {
        store.failures.add(StoreException.notApplied("throttled", null));

        CompletableFuture<AcquireResult> bad = acquire(BAD);
        assertThat(bad).isNotDone();
        assertThat(acquire(GOOD)).isCompletedWithValueMatching(AcquireResult::isGranted);
        runtime.advance(Duration.ofSeconds(1));

        assertThat(bad).isCompletedWithValueMatching(AcquireResult::isGranted);
    }

    @Test
    void aChangeInDoubtIsRetriedUnchanged() {
        store.appliesInTrouble = true;
        store.failures.add(StoreException.unknown("no answer", null));

        CompletableFuture<AcquireResult> bad = acquire(BAD);
        runtime.advance(Duration.ofSeconds(1));

        assertThat(bad).isCompletedWithValueMatching(AcquireResult::isGranted);
        assertThat(store.sent).hasSize(2).allMatch(store.sent.get(0)::equals);
        assertThat(leases.get(BAD).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void aRejectedChangeFailsWithoutARetry() {
        store.failures.add(StoreException.rejected("access denied", null));

        assertThat(acquire(BAD))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
    }

    private CompletableFuture<AcquireResult> acquire(Key key) {
        return leases.async().tryAcquire(key, OPTIONS).toCompletableFuture();
    }

    /** A store that fails changes of the bad key with one exception after another; other changes go through. */
    private static final class PickyStore extends ForwardingStore {
        final Deque<StoreException> failures = new ArrayDeque<>();
        final List<Change> sent = new ArrayList<>();
        boolean appliesInTrouble;

        PickyStore(LeaseStore inner) {
            super(inner);
        }

        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            return changes.stream().map(this::one).toList();
        }

        private WriteOutcome one(Change change) {
            if (!change.key().equals(BAD)) {
                return super.apply(List.of(change)).get(0);
            }
            sent.add(change);
            StoreException trouble = failures.poll();
            if (trouble == null || appliesInTrouble) {
                WriteOutcome writeOutcome = super.apply(List.of(change)).get(0);
                return trouble == null ? writeOutcome : new WriteOutcome.Failed(trouble);
            }
            return new WriteOutcome.Failed(trouble);
        }
    }
}
