package dev.holdfast.micrometer;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.leases.LeasesContract;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;

/** An observed client keeps every promise of a client. */
class ObservedLeasesContractTest extends LeasesContract {
    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(clock);
    private final TestObservationRegistry registry = TestObservationRegistry.create();

    @Override
    public Leases open(String holder) {
        return ObservedLeases.of(Holdfast.open(store, options(holder).build()), registry);
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return ObservedLeases.of(
                Holdfast.open(store, options(holder).withoutThreads().build()), registry);
    }

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).environment(clock);
    }

    @Override
    public void elapse(Duration time) {
        clock.advance(time);
    }
}
