package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;

/** The lease contract in the table of another tool: each client has its own store, in manual time. */
abstract class ForeignLeasesContract extends LeasesContract {
    private final ManualClock runtime = new ManualClock();
    private final ForeignTable table = table();
    private final StoreTraits traits = traits();

    abstract ForeignTable table();

    private StoreTraits traits() {
        try (LeaseStore store = table.store(runtime)) {
            return store.traits();
        }
    }

    @Override
    public Leases open(String holder) {
        return Holdfast.open(new Inline(table.store(runtime)), options(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(
                table.store(runtime), options(holder).withoutThreads().build());
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
        return traits.dialect();
    }

    /** A stored expiry is rounded up to a second. */
    @Override
    public Duration step() {
        return traits.dialect().expires() ? traits.step().plusSeconds(1) : traits.step();
    }
}
