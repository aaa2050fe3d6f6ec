package dev.holdfast.testkit.memory;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.memory.MemoryStore;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import dev.holdfast.testkit.LeasesContract;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** On a store that lacks all that can be lacking, whose holders must stop early, and whose tokens change. */
class LackingMemoryLeasesContractTest extends LeasesContract {
    private static final Dialect DIALECT = Dialect.of("bare")
            .without(EnumSet.allOf(Power.class))
            .takenAfter(Duration.ofMinutes(1), Duration.ofSeconds(5));

    private final ManualRuntime runtime = new ManualRuntime();
    private final LeaseStore store = new LackingStore(new MemoryStore(runtime));

    @Override
    protected Leases open(String holder) {
        return Holdfast.open(store, options(holder).build());
    }

    @Override
    protected Leases openWithoutThreads(String holder) {
        return Holdfast.open(store, options(holder).withoutThreads().build());
    }

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).runtime(runtime);
    }

    @Override
    protected void elapse(Duration time) {
        runtime.advance(time);
    }

    @Override
    protected Dialect dialect() {
        return DIALECT;
    }

    private record LackingStore(MemoryStore inner) implements LeaseStore {
        @Override
        public List<Outcome> apply(List<Change> changes) {
            return inner.apply(changes);
        }

        @Override
        public List<Optional<Stored>> read(List<Key> keys) {
            return inner.read(keys);
        }

        @Override
        public Page scan(Scan scan) {
            return inner.scan(scan);
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
