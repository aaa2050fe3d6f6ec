package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.testkit.DurableLeaseStoreContract;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;

class NativeStoreContractTest extends DurableLeaseStoreContract {
    private final ManualRuntime runtime = new ManualRuntime();
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

    /** Silence is observed. */
    @Override
    protected boolean hasClock() {
        return false;
    }
}
