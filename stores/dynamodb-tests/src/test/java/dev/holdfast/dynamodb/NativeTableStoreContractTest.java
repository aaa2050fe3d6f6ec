package dev.holdfast.dynamodb;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.time.Duration;

class NativeTableStoreContractTest extends DurableLeaseStoreContract {
    private final ManualClock runtime = new ManualClock();
    private final String url = Tables.create();

    @Override
    public LeaseStore openStore() {
        return Tables.open(url, runtime);
    }

    @Override
    public LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }

    /** Expiry is observed. */
    @Override
    public boolean hasClock() {
        return false;
    }
}
