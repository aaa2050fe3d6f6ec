package dev.holdfast.client;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two servers that share a database; each client begins with any of them. */
@Tag("real-time")
@Execution(ExecutionMode.CONCURRENT)
@SuppressWarnings("NullAway.Init")
class PostgresRemoteContractTest extends RemoteContract {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private static EmbeddedPostgres database;

    private TestServer first;
    private TestServer second;

    @BeforeAll
    static void startDatabase() throws IOException {
        database = EmbeddedPostgres.builder()
                .setServerConfig("max_connections", "300")
                .start();
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        database.close();
    }

    @BeforeEach
    void startServers() {
        String store = "postgresql://postgres:postgres@localhost:" + database.getPort() + "/postgres?schema=remote_"
                + SCHEMAS.incrementAndGet() + "&step=" + STEP.toMillis() + "ms&lanes=1&pool=2";
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
        return STEP;
    }
}
