package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts the connections that short work opens. The server counts them, by database. */
class ConnectionCountTest {
    private final Server server = Server.shared();
    private final String database = "count_" + Server.freshSchema();
    private final String url = server.url("holdfast").replace("/postgres?", "/" + database + "?");

    @BeforeEach
    void create() throws SQLException {
        server.execute("CREATE DATABASE " + database);
    }

    @AfterEach
    void drop() throws SQLException {
        server.execute("DROP DATABASE " + database);
    }

    @Test
    void aOneShotClientOpensOneConnection() throws Exception {
        try (Leases leases = oneShot()) {
            leases.tryAcquire("a").orThrow();
        }
        assertThat(opened()).isEqualTo(1);

        // The tables exist now.
        try (Leases leases = oneShot()) {
            leases.tryAcquire("a").orThrow();
        }
        assertThat(opened()).isEqualTo(2);
    }

    @Test
    void anUnusedStoreOpensOneConnectionAndClosesIt() throws Exception {
        PostgresStore.open(url).close();

        assertThat(opened()).isEqualTo(1);
    }

    @Test
    void aCheckAndAnInitOpenOneConnectionEach() throws Exception {
        PostgresCheck.run(url, Instant::now);
        assertThat(opened()).isEqualTo(1);

        new PostgresStoreProvider().init(url, text -> {});
        assertThat(opened()).isEqualTo(2);
    }

    private Leases oneShot() {
        return Holdfast.open(
                url, LeasesOptions.builder().holder("ann").withoutThreads().build());
    }

    /** The server counts a session at the latest when it ends. */
    private int opened() throws Exception {
        Eventually.holds(() -> server.query("SELECT 1 FROM pg_stat_activity WHERE datname = '" + database + "'")
                .isEmpty());
        return Integer.parseInt(
                server.value("SELECT sessions FROM pg_stat_database WHERE datname = '" + database + "'"));
    }
}
