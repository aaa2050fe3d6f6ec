package dev.holdfast.sqlite;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.leases.LeasesContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The lease contract in real time, each client with its own connections. Tests sleep, so they run in parallel. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class SqliteLeasesContractTest extends LeasesContract {
    @TempDir
    private Path folder;

    @Override
    public Leases open(String holder) {
        return Holdfast.open(url(), LeasesOptions.builder().holder(holder).build());
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return Holdfast.open(
                url(), LeasesOptions.builder().holder(holder).withoutThreads().build());
    }

    private String url() {
        return "sqlite:" + folder.resolve("leases.db");
    }

    @Override
    public Duration term() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Duration step() {
        return Duration.ofMillis(20);
    }
}
