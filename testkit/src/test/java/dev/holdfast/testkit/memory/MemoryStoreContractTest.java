package dev.holdfast.testkit.memory;

import dev.holdfast.internal.memory.MemoryStore;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.testkit.LeaseStoreContract;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;

class MemoryStoreContractTest extends LeaseStoreContract {
    private final ManualRuntime runtime = new ManualRuntime();

    @Override
    protected LeaseStore openStore() {
        return new MemoryStore(runtime);
    }

    @Override
    protected void elapse(Duration time) {
        runtime.advance(time);
    }

    @Override
    protected boolean keepsFenceFloor() {
        return true;
    }
}
