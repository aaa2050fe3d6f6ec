package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of grants that arrive after their term: they are renewed before they are reported, or not reported at all. */
class LateGrantTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(1);
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(TERM).autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final SlowStore store = new SlowStore();
    private final Leases ann = open("ann");
    private final Leases bob = open("bob");

    private Leases open(String holder) {
        return Holdfast.open(
                store,
                LeasesOptions.builder().holder(holder).environment(runtime).build());
    }

    @AfterEach
    void close() {
        store.slow = 0;
        ann.close();
        bob.close();
        runtime.close();
    }

    /** A store that takes more than a term to respond to some writes. */
    private final class SlowStore extends ForwardingStore {
        int slow;
        boolean taken;

        SlowStore() {
            super(new MemoryStore(runtime));
        }

        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            List<WriteOutcome> outcomes = super.apply(changes);
            if (slow > 0) {
                slow--;
                // The machine sleeps: the wall clock moves, so the term passes.
                runtime.sleep(TERM.multipliedBy(2));
                if (taken) {
                    taken = false;
                    bob.evict(KEY, "its holder sleeps");
                    assertThat(bob.tryAcquire(KEY, OPTIONS.term(Duration.ofDays(1)))
                                    .isGranted())
                            .isTrue();
                }
            }
            return outcomes;
        }
    }

    private CompletableFuture<AcquireResult> acquire() {
        return ann.async().tryAcquire(KEY, OPTIONS).toCompletableFuture();
    }

    @Test
    void aGrantThatArrivesTooLateIsRenewedBeforeItIsReported() {
        store.slow = 1;

        CompletableFuture<AcquireResult> result = acquire();

        assertThat(result).isCompletedWithValueMatching(AcquireResult::isGranted);
        assertThat(result.join().orThrow().isHeld()).isTrue();
    }

    @Test
    void anAnchorThatArrivesTooLateIsRenewedBeforeItIsReported() {
        store.slow = 1;

        CompletableFuture<Anchor> anchor = ann.async().anchor("worker", TERM).toCompletableFuture();

        assertThat(anchor).isCompletedWithValueMatching(Anchor::isHeld);
    }

    @Test
    void aGrantTakenByAnotherHolderIsReportedAsHeld() {
        ann.tryAcquire(KEY, OPTIONS).orThrow().release();
        store.slow = 1;
        store.taken = true;

        CompletableFuture<AcquireResult> result = acquire();

        assertThat(result).isCompletedWithValueMatching(AcquireResult.HeldByAnother.class::isInstance);
    }

    @Test
    void aStoreThatIsAlwaysTooSlowFailsTheRequestAndLeavesNothingHeld() {
        store.slow = 1_000;

        CompletableFuture<AcquireResult> result = acquire();

        assertThat(result)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreException.class)
                .withMessageContaining("too late");
        store.slow = 0;
        assertThat(bob.get(KEY).orElseThrow().entry().state()).isEqualTo(LeaseState.FREE);
    }
}
