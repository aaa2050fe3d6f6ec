package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgresSchemaTest {
    private final Server server = Server.shared();
    private final String name = Server.freshSchema();

    @Test
    void openingAnEmptyDatabaseCreatesTheTables() throws SQLException {
        open().close();
        open().close();

        assertThat(server.value("SELECT schema_version FROM " + name + ".meta")).isEqualTo("2");
    }

    @Test
    void manyStoresOpenedAtOnceCreateTheTablesOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> openings = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                openings.add(threads.submit(() -> open().close()));
            }
            for (Future<?> opening : openings) {
                opening.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(server.query("SELECT schema_version FROM " + name + ".meta")).containsExactly("2");
    }

    @Test
    void ifCreationIsForbiddenTheDdlIsReported() throws SQLException {
        StoreException refusal = refused("create=false");

        assertThat(refusal).hasMessageContaining(PostgresSchema.ddl(name));
        assertThat(server.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + name + "'"))
                .isEmpty();
    }

    @Test
    void theReportedDdlIsSufficient() throws SQLException {
        server.execute(PostgresSchema.ddl(name));

        try (PostgresStore store = PostgresStore.open(server.url(name, "create=false"))) {
            assertThat(store.read(List.of(Key.of("a")))).hasSize(1);
        }
    }

    @Test
    void thePrivilegesThatTheDdlNamesAreEnough() throws SQLException {
        String role = name + "_role";
        server.execute(PostgresSchema.ddl(name) + "CREATE ROLE " + role + " LOGIN PASSWORD 'x'; GRANT USAGE ON SCHEMA "
                + name
                + " TO " + role + "; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + name + " TO "
                + role);

        try (PostgresStore store = PostgresStore.open(server.url(name).replace("postgres:postgres@", role + ":x@"))) {
            assertThat(Entries.applied(store, Entries.held("a"))).isTrue();
        }
    }

    @Test
    void aSchemaThatOnlyANewerHoldfastMayUseIsRejected() throws SQLException {
        open().close();
        future(99, 98, 98);

        assertThat(refused("create=true")).hasMessageContaining("has version 99 (expected: at most 2,");
        assertThat(refused("create=false")).hasMessageContaining("knows version 98");
    }

    @Test
    void aNewerSchemaWithoutARecordOfPermittedVersionsIsRejected() throws SQLException {
        open().close();
        server.execute("ALTER TABLE " + name + ".meta DROP COLUMN min_reader, DROP COLUMN min_writer; UPDATE " + name
                + ".meta SET schema_version = 3");

        assertThat(refused("create=true")).hasMessageContaining("has version 3 (expected: at most 2,");
    }

    @Test
    void aNewerSchemaThatThisHoldfastMayWriteIsUsed() throws SQLException {
        open().close();
        future(99, 1, 1);

        try (PostgresStore store = open()) {
            assertThat(Entries.applied(store, Entries.held("a"))).isTrue();
        }
        assertThat(server.value("SELECT schema_version FROM " + name + ".meta")).isEqualTo("99");
    }

    @Test
    void aNewerSchemaThatThisHoldfastMayOnlyReadIsRead() throws SQLException {
        Entry entry = Entries.held("a");
        try (PostgresStore store = open()) {
            assertThat(Entries.applied(store, entry)).isTrue();
        }
        future(99, 1, 98);

        try (PostgresStore store = open()) {
            assertThat(store.read(List.of(entry.key())).get(0).orElseThrow().entry())
                    .isEqualTo(entry);
            assertThat(store).isNotInstanceOf(ChangeNotifier.class);
            StoreException refusal =
                    catchThrowableOfType(StoreException.class, () -> Entries.applied(store, Entries.held("b")));
            assertThat(refusal).hasMessageContaining("may read them, and not write");
            assertThat(refusal.isRetryable()).isFalse();
        }
    }

    @Test
    void openingAnOlderSchemaLeavesItUnchanged() throws SQLException {
        open().close();

        try (PostgresStore store =
                PostgresStore.open(PostgresUrl.parse(server.url(name)), newer("ALTER TABLE $.entry ADD extra text"))) {
            assertThat(Entries.applied(store, Entries.held("a"))).isTrue();
        }
        assertThat(server.value("SELECT schema_version FROM " + name + ".meta")).isEqualTo("2");
    }

    @Test
    void anUpgradeKeepsEntriesAndReportsThePermittedVersions() throws SQLException {
        try (PostgresStore store = open()) {
            assertThat(Entries.applied(store, Entries.held("a"))).isTrue();
        }
        PostgresSchema newer = newer("ALTER TABLE $.entry ADD COLUMN extra text DEFAULT 'new'");
        List<String> progress = new ArrayList<>();

        PostgresStoreProvider.upgrade(PostgresUrl.parse(server.url(name)), newer, progress::add);
        PostgresStoreProvider.upgrade(PostgresUrl.parse(server.url(name)), newer, progress::add);

        String use = "a Holdfast that knows version 1 may read them, one that knows version 1 may write them";
        assertThat(progress)
                .containsExactly(
                        "upgrading the tables from version 2 to 3; this may take long",
                        "upgraded the tables, version 3; " + use,
                        "the tables need no upgrade, version 3; " + use);
        assertThat(server.query("SELECT extra FROM " + name + ".entry")).containsExactly("new");
        // The process that has not been upgraded yet keeps working.
        try (PostgresStore store = open()) {
            assertThat(Entries.applied(store, Entries.held("b"))).isTrue();
        }
    }

    @Test
    void anUpgradeMayTakeLongerThanAnyTimeoutOfTheRole() throws SQLException {
        open().close();
        server.execute("CREATE ROLE " + name + "_hurried LOGIN SUPERUSER PASSWORD 'x'; ALTER ROLE " + name
                + "_hurried SET statement_timeout = 200");
        PostgresUrl url = PostgresUrl.parse(server.url(name).replace("postgres:postgres@", name + "_hurried:x@"));

        PostgresStoreProvider.upgrade(url, newer("DO 'BEGIN PERFORM pg_sleep(0.5); END'"), text -> {});

        assertThat(server.value("SELECT schema_version FROM " + name + ".meta")).isEqualTo("3");
        try (Connection connection = PostgresConnections.withoutTimeout(url)) {
            assertThat(connection.getNetworkTimeout()).isZero();
        }
    }

    @Test
    void anUpgradeDoesNotMakeAllWritersWaitForAnotherProgram() throws SQLException {
        open().close();
        try (Connection other = server.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + name + ".entry");

            StoreException failure = catchThrowableOfType(
                    StoreException.class,
                    () -> PostgresStoreProvider.upgrade(
                            PostgresUrl.parse(server.url(name)),
                            newer("ALTER TABLE $.entry ADD extra text"),
                            text -> {}));

            assertThat(failure).hasMessageContaining("[55P03]");
            assertThat(failure.isRetryable()).isTrue();
            other.rollback();
        }
        assertThat(server.value("SELECT schema_version FROM " + name + ".meta")).isEqualTo("2");
    }

    @Test
    void missingTablesAreNotUpgraded() {
        StoreException failure = catchThrowableOfType(
                StoreException.class, () -> new PostgresStoreProvider().upgrade(server.url(name), text -> {}));

        assertThat(failure).hasMessageContaining("holdfast store init");
    }

    @Test
    void aRoleThatMayNotUpgradeIsShownTheDdl() throws SQLException {
        open().close();
        String role = name + "_plain";
        server.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'x'; GRANT USAGE ON SCHEMA " + name + " TO " + role
                + "; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + name + " TO " + role);
        PostgresUrl url = PostgresUrl.parse(server.url(name).replace("postgres:postgres@", role + ":x@"));

        StoreException failure = catchThrowableOfType(
                StoreException.class,
                () -> PostgresStoreProvider.upgrade(url, newer("ALTER TABLE $.entry ADD extra text"), text -> {}));

        assertThat(failure)
                .hasMessageContaining("ALTER TABLE \"" + name + "\".entry ADD extra text;")
                .hasMessageContaining("schema_version = 3, min_reader = 1, min_writer = 1;");
    }

    @Test
    void aMigrationThatFailsLeavesNothingBehind() throws SQLException {
        PostgresSchema broken = new PostgresSchema(
                name,
                List.of(new PostgresSchema.SchemaStep("CREATE TABLE $.meta (schema_version int); SELECT 1 / 0", 1, 1)));

        try (Connection connection = server.connect()) {
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> broken.prepare(connection, true));
            assertThat(broken.find(connection).isMissing()).isTrue();
            assertThat(connection.getAutoCommit()).isTrue();
        }
        open().close();
    }

    /** Creates tables as a newer Holdfast would. */
    private void future(int version, int minReader, int minWriter) throws SQLException {
        server.execute("UPDATE " + name + ".meta SET schema_version = " + version + ", min_reader = " + minReader
                + ", min_writer = " + minWriter);
    }

    /** Returns the schema of a Holdfast that has one more step. */
    private PostgresSchema newer(String sql) {
        PostgresSchema.SchemaStep known = new PostgresSchema.SchemaStep("", 1, 1);
        return new PostgresSchema(name, List.of(known, known, new PostgresSchema.SchemaStep(sql, 1, 1)));
    }

    private PostgresStore open() {
        return PostgresStore.open(server.url(name));
    }

    private StoreException refused(String parameter) {
        StoreException refusal =
                catchThrowableOfType(StoreException.class, () -> PostgresStore.open(server.url(name, parameter)));
        assertThat(refusal.isRetryable()).isFalse();
        return refusal;
    }
}
