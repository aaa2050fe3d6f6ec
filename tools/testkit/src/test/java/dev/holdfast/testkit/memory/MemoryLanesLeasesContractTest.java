package dev.holdfast.testkit.memory;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on real time and real threads, like a store that blocks. Tests sleep, so they run in parallel. */
@Execution(ExecutionMode.CONCURRENT)
class MemoryLanesLeasesContractTest extends LeasesContract {
    private final SystemEnvironment clock = new SystemEnvironment();
    private final MemoryStore store = new MemoryStore(clock, 2, true);

    @AfterEach
    void closeClock() {
        clock.close();
    }

    @Override
    public Leases open(String holder) {
        return Holdfast.open(store, LeasesOptions.builder().holder(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(
                store, LeasesOptions.builder().holder(holder).withoutThreads().build());
    }

    @Override
    public Duration term() {
        return Duration.ofSeconds(2);
    }
}
