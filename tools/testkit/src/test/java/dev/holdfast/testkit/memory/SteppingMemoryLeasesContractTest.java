package dev.holdfast.testkit.memory;

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
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The contract on a store without notifications and with a clock error larger than a whole term. */
class SteppingMemoryLeasesContractTest extends LeasesContract {
    private static final Duration TERM = Duration.ofMillis(400);
    private static final Duration STEP = Duration.ofMillis(500);

    private final ManualClock runtime = new ManualClock();
    private final LeaseStore store = new SteppingStore(new MemoryStore(runtime));

    @Override
    public Leases open(String holder) {
        return Holdfast.open(store, options(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(store, options(holder).withoutThreads().build());
    }

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).environment(runtime);
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }

    @Override
    public Duration term() {
        return TERM;
    }

    @Override
    public Duration step() {
        return STEP;
    }

    private record SteppingStore(MemoryStore inner) implements LeaseStore {
        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            return inner.apply(changes);
        }

        @Override
        public List<Optional<StoredEntry>> read(List<Key> keys) {
            return inner.read(keys);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            return inner.scan(entryScan);
        }

        @Override
        public StoreTraits traits() {
            StoreTraits traits = inner.traits();
            return new StoreTraits(traits.lanes(), traits.batchLimit(), STEP);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
