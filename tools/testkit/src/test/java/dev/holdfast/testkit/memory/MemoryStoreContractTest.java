package dev.holdfast.testkit.memory;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.stores.LeaseStoreContract;
import java.time.Duration;

class MemoryStoreContractTest extends LeaseStoreContract {
    private final ManualClock runtime = new ManualClock();

    @Override
    public LeaseStore openStore() {
        return new MemoryStore(runtime);
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }

    @Override
    public boolean keepsFenceFloor() {
        return true;
    }
}
