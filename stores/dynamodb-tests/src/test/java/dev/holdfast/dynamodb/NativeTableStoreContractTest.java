package dev.holdfast.dynamodb;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.time.Duration;

class NativeTableStoreContractTest extends DurableLeaseStoreContract {
    private final ManualClock runtime = new ManualClock();
    private final String url = Tables.create();

    @Override
    protected LeaseStore openStore() {
        return Tables.open(url, runtime);
    }

    @Override
    protected LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    protected void elapse(Duration time) {
        runtime.advance(time);
    }

    /** Expiry is observed. */
    @Override
    protected boolean hasClock() {
        return false;
    }
}
