package dev.holdfast.testkit.memory;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreFeature;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** The contract on a store that lacks every optional feature. Its leases end early, and its tokens change. */
class LackingMemoryLeasesContractTest extends LeasesContract {
    private static final StoreDialect DIALECT = StoreDialect.of("bare")
            .without(EnumSet.allOf(StoreFeature.class))
            .takenAfter(Duration.ofMinutes(1), Duration.ofSeconds(5));

    private final ManualClock runtime = new ManualClock();
    private final LeaseStore store = new LackingStore(new MemoryStore(runtime));

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
    public StoreDialect dialect() {
        return DIALECT;
    }

    private record LackingStore(MemoryStore inner) implements LeaseStore {
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
            return new StoreTraits(traits.lanes(), traits.batchLimit(), traits.step(), DIALECT);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
