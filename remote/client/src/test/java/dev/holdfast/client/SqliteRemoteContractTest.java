package dev.holdfast.client;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteRemoteContractTest extends SharedStoreContract {
    @TempDir
    private Path folder;

    @Override
    String emptyStore() {
        return "sqlite:" + folder.resolve("leases.db");
    }

    @Override
    public Duration step() {
        return Duration.ofMillis(20);
    }
}
