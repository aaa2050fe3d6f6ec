package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlannerContentionTest {
    private static final int WORKERS = 20;
    private static final Key PLANNER = Key.of("fleet/crew", "planner");

    private final ManualClock runtime = new ManualClock();
    private final List<Long> accessNanos = new ArrayList<>();

    /** A store that records the times of accesses to the planner's lease. */
    private final class NotingStore implements LeaseStore {
        private final LeaseStore store;

        NotingStore(LeaseStore store) {
            this.store = store;
        }

        private void note(boolean planner) {
            if (planner) {
                accessNanos.add(runtime.nanos());
            }
        }

        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            note(changes.stream().anyMatch(change -> change.key().equals(PLANNER)));
            return store.apply(changes);
        }

        @Override
        public List<Optional<StoredEntry>> read(List<Key> keys) {
            note(keys.contains(PLANNER));
            return store.read(keys);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            return store.scan(entryScan);
        }

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public void close() {}
    }

    @Test
    void workersThatJoinTogetherContendForThePlanAtDifferentTimes() {
        MemoryStore memory = new MemoryStore(runtime);
        for (int i = 0; i < WORKERS; i++) {
            Leases leases = Holdfast.open(
                    new NotingStore(memory),
                    LeasesOptions.builder()
                            .holder("worker-" + i)
                            .environment(runtime)
                            .withoutCleanUp()
                            .build());
            var joining = Fleet.of(leases, "crew").worker("worker-" + i).joinAsync();
            assertThat(joining.toCompletableFuture()).isNotCompletedExceptionally();
        }
        runtime.advance(FleetOptions.defaults().poll().dividedBy(2));

        assertThat(accessNanos.stream().distinct().count()).isGreaterThan(WORKERS / 2);
        runtime.advance(Duration.ofMinutes(1));
        runtime.close();
    }
}
