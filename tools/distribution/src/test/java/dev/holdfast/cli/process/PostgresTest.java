package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a real PostgreSQL. */
@SuppressWarnings("NullAway.Init") // before all tests
class PostgresTest {
    private static EmbeddedPostgres postgres;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @Test
    void aStoreIsCheckedPreparedAndUsed() {
        Holdfast holdfast = on("prepared&create=false");

        Result before = holdfast.run("store", "check");
        assertThat(before.code()).isZero();
        assertThat(before.out())
                .contains("ok  PostgreSQL 18")
                .contains("warning  there are no tables yet")
                .contains("clock");
        Result failed = holdfast.call("acquire", "a", "--no-wait");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).hasLineCount(1);

        assertThat(holdfast.call("store", "init").err()).contains("created the tables, version 2");
        assertThat(holdfast.call("store", "check", "--json").line())
                .contains("{\"level\":\"ok\",\"what\":\"tables of version 2\"}");
        String token = holdfast.call("acquire", "a", "--no-wait").line();
        assertThat(holdfast.call("acquire", "a", "--no-wait").code()).isEqualTo(3);
        assertThat(holdfast.call("release", "a", token).code()).isZero();
        assertThat(holdfast.run("run", "a", "--", "echo", "ran").out()).isEqualTo("ran\n");
    }

    @Test
    void anOldStoreIsUsedWithoutChangesUntilItIsUpgraded() throws SQLException {
        Holdfast holdfast = on("old");
        assertThat(holdfast.run("store", "upgrade").err()).contains("holdfast store init");
        holdfast.run("store", "init");
        // Older tables had no histories, and did not record the versions that may use them.
        execute("ALTER TABLE old.entry DROP COLUMN history");
        execute("ALTER TABLE old.meta DROP COLUMN min_reader, DROP COLUMN min_writer");
        execute("UPDATE old.meta SET schema_version = 1");

        assertThat(holdfast.run("store", "check").out())
                .contains("warning  tables of version 1, which this Holdfast can use; holdfast store upgrade");
        assertThat(holdfast.run("store", "init").err()).contains("which is old; holdfast store upgrade");
        assertThat(holdfast.run("run", "a", "--", "echo", "ran").out()).isEqualTo("ran\n");

        Result upgraded = holdfast.run("store", "upgrade");
        assertThat(upgraded.code()).isZero();
        assertThat(upgraded.err())
                .contains("upgrading the tables from version 1 to 2", "upgraded the tables, version 2; a");
        assertThat(holdfast.run("store", "check").out()).contains("ok  tables of version 2");
        assertThat(holdfast.run("run", "a", "--", "echo", "ran").out()).isEqualTo("ran\n");
    }

    @Test
    void aStoreOfANewerHoldfastIsRejected() throws SQLException {
        Holdfast holdfast = on("new");
        holdfast.run("store", "init");
        execute("UPDATE new.meta SET schema_version = 3, min_reader = 3, min_writer = 3");

        Result check = holdfast.run("store", "check");
        assertThat(check.code()).isEqualTo(1);
        assertThat(check.out()).contains("error  tables of version 3 are too new for this Holdfast, which knows 2");
        Result refused = holdfast.run("acquire", "a", "--no-wait");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("has version 3").contains("use a newer Holdfast");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aShortBenchPrintsItsMeasurementsAndLeavesNoKeys() {
        Holdfast holdfast = on("bench");

        for (String load : new String[] {"once", "lock"}) {
            Result result = holdfast.call("bench", "--load", load, "--callers", "4", "--seconds", "1", "--json");
            assertThat(result.line())
                    .matches("\\{\"load\":\"" + load + "\",\"callers\":4,\"cycles\":[1-9]\\d*,"
                            + "\"cyclesPerSecond\":[0-9.E]+,\"p50Micros\":[1-9]\\d*,\"p99Micros\":[1-9]\\d*}");
        }
        assertThat(holdfast.run("bench", "--seconds", "1").line())
                .matches("\\d+ cycles/s, p50 \\d+ (us|ms), p99 \\d+ (us|ms)");
        assertThat(holdfast.call("ls", "--status", "held", "--json").line()).isEqualTo("[\n]");
        assertThat(holdfast.call("ls", "--status", "done", "--json").line()).isEqualTo("[\n]");
    }

    private Holdfast on(String schema) {
        return new Holdfast(
                folder,
                "postgresql://postgres:postgres@localhost:" + postgres.getPort() + "/postgres?schema=" + schema);
    }
}
