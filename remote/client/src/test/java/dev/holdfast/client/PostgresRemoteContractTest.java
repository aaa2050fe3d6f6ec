package dev.holdfast.client;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@SuppressWarnings("NullAway.Init")
class PostgresRemoteContractTest extends SharedStoreContract {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private static EmbeddedPostgres database;

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

    @Override
    String emptyStore() {
        return "postgresql://postgres:postgres@localhost:" + database.getPort() + "/postgres?schema=remote_"
                + SCHEMAS.incrementAndGet() + "&step=" + STEP.toMillis() + "ms&lanes=1&pool=2";
    }

    @Override
    public Duration step() {
        return STEP;
    }
}
