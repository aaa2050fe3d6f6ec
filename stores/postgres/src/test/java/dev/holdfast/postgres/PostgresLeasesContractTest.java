package dev.holdfast.postgres;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The lease contract, each client with its own store, as on separate machines. Tests mostly sleep, so they run in
 * parallel.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class PostgresLeasesContractTest extends LeasesContract {
    private static final Duration STEP = Duration.ofMillis(100);

    private final String url =
            Server.shared().url(Server.freshSchema(), "step=" + STEP.toMillis() + "ms", "lanes=1", "pool=2");

    @Override
    public Leases open(String holder) {
        return Holdfast.open(url, LeasesOptions.builder().holder(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(
                url, LeasesOptions.builder().holder(holder).withoutThreads().build());
    }

    @Override
    public Duration term() {
        return Duration.ofSeconds(3);
    }

    @Override
    public Duration step() {
        return STEP;
    }
}
