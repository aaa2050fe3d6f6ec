package dev.holdfast.dynamodb.layouts;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.time.Duration;

/** The store contract in the table of another tool, in manual time. */
abstract class ForeignStoreContract extends DurableLeaseStoreContract {
    private final ManualClock runtime = new ManualClock();
    private final ForeignTable table = table();

    abstract ForeignTable table();

    @Override
    public LeaseStore openStore() {
        return table.store(runtime);
    }

    @Override
    public LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }

    @Override
    public boolean hasClock() {
        return false;
    }
}
