package dev.holdfast.client;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two servers that share a file; each client begins with any of them. */
@Tag("real-time")
@Execution(ExecutionMode.CONCURRENT)
class SqliteRemoteContractTest extends RemoteContract {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private TestServer first;

    @SuppressWarnings("NullAway.Init")
    private TestServer second;

    @BeforeEach
    void startServers() {
        String store = "sqlite:" + folder.resolve("leases.db");
        first = TestServer.on(store);
        second = TestServer.on(store);
    }

    @Override
    String url() {
        return "http://" + first.host() + "," + second.host();
    }

    @AfterEach
    void stopServers() {
        closeRemotes();
        first.close();
        second.close();
    }

    @Override
    protected Duration step() {
        return Duration.ofMillis(20);
    }
}
