package dev.holdfast.testkit.memory;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.stores.LeaseStoreContract;
import java.time.Duration;

/** The contract of a store without a fence floor, inside a {@link FaultyStore} that injects no fault. */
class FloorlessMemoryStoreContractTest extends LeaseStoreContract {
    private final ManualClock runtime = new ManualClock();

    @Override
    public LeaseStore openStore() {
        return FaultyStore.around(new MemoryStore(runtime, 0, false));
    }

    @Override
    public void elapse(Duration time) {
        runtime.advance(time);
    }
}
