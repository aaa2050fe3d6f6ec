package dev.holdfast.dynamodb;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.time.Duration;

/** With {@code judge=stamp}, beats have an age, and the service's clock is that of the test. */
class StampContractTest extends DurableLeaseStoreContract {
    private final ManualClock runtime = new ManualClock();
    private final String url = Tables.create() + "&judge=stamp";

    @Override
    public LeaseStore openStore() {
        return Tables.open(url, runtime, http -> new Way(http, runtime::now));
    }

    @Override
    public LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }
}
