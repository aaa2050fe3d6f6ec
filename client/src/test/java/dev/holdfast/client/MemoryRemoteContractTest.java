package dev.holdfast.client;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One server, which keeps its leases in memory. Tests mostly sleep, so they run side by side. */
@Execution(ExecutionMode.CONCURRENT)
class MemoryRemoteContractTest extends RemoteContract {
    private final TestServer server = TestServer.on("memory:");

    @Override
    String url() {
        return server.url();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }
}
