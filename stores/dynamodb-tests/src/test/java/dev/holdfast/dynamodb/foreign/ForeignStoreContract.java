package dev.holdfast.dynamodb.foreign;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.testkit.DurableLeaseStoreContract;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;

/** What a store promises, in the table of another tool, on manual time. */
abstract class ForeignStoreContract extends DurableLeaseStoreContract {
    private final ManualRuntime runtime = new ManualRuntime();
    private final ForeignTable table = table();

    abstract ForeignTable table();

    @Override
    protected LeaseStore openStore() {
        return table.store(runtime);
    }

    @Override
    protected LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    protected void elapse(Duration time) {
        runtime.advance(time);
    }

    @Override
    protected boolean hasClock() {
        return false;
    }
}
