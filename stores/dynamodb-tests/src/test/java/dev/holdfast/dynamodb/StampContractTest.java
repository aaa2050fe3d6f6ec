package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.testkit.DurableLeaseStoreContract;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;

/** With {@code judge=stamp}, beats have an age: the service's clock is that of the test. */
class StampContractTest extends DurableLeaseStoreContract {
    private final ManualRuntime runtime = new ManualRuntime();
    private final String url = Tables.create() + "&judge=stamp";

    @Override
    protected LeaseStore openStore() {
        return Tables.open(url, runtime, http -> new Way(http, runtime::now));
    }

    @Override
    protected LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    protected void elapse(Duration time) {
        runtime.advance(time);
    }
}
