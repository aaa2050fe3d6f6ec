package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.model.Key;
import dev.holdfast.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SchemaTest {
    private final Server server = Server.shared();
    private final String name = Server.freshSchema();

    @Test
    void openingAnEmptyDatabaseCreatesTheTables() throws SQLException {
        open().close();
        open().close();

        assertThat(server.value("SELECT schema_version FROM " + name + ".meta")).isEqualTo("1");
    }

    @Test
    void manyWhoOpenAtOnceCreateTheTablesOnce() throws Exception {
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

        assertThat(server.query("SELECT schema_version FROM " + name + ".meta")).containsExactly("1");
    }

    @Test
    void whereItIsForbiddenNothingIsCreatedAndTheDdlIsTold() throws SQLException {
        StoreException refusal = refused("create=false");

        assertThat(refusal).hasMessageContaining(Schema.ddl(name));
        assertThat(server.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + name + "'"))
                .isEmpty();
    }

    @Test
    void theDdlThatIsToldIsAllThatIsNeeded() throws SQLException {
        server.execute(Schema.ddl(name));

        try (PostgresStore store = PostgresStore.open(server.url(name, "create=false"))) {
            assertThat(store.read(List.of(Key.of("a")))).hasSize(1);
        }
    }

    @Test
    void theRightsThatTheDdlNamesAreEnough() throws SQLException {
        String role = name + "_role";
        server.execute(Schema.ddl(name) + "CREATE ROLE " + role + " LOGIN PASSWORD 'x'; GRANT USAGE ON SCHEMA " + name
                + " TO " + role + "; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + name + " TO "
                + role);

        try (PostgresStore store = PostgresStore.open(server.url(name).replace("postgres:postgres@", role + ":x@"))) {
            assertThat(Entries.applied(store, Entries.held("a"))).isTrue();
        }
    }

    @Test
    void aSchemaThatANewerHoldfastMadeIsRefused() throws SQLException {
        open().close();
        server.execute("UPDATE " + name + ".meta SET schema_version = 99");

        assertThat(refused("create=true")).hasMessageContaining("has version 99 (expected: at most 1)");
        assertThat(refused("create=false")).hasMessageContaining("has version 99 (expected: at most 1)");
    }

    @Test
    void anOlderSchemaIsMigratedAndKeepsWhatIsInIt() throws SQLException {
        try (PostgresStore store = open()) {
            assertThat(Entries.applied(store, Entries.held("a"))).isTrue();
        }
        Schema newer = new Schema(name, List.of("", "ALTER TABLE $.entry ADD COLUMN extra text DEFAULT 'new'"));

        try (Connection connection = server.connect()) {
            StoreException forbidden =
                    catchThrowableOfType(StoreException.class, () -> newer.prepare(connection, false));
            assertThat(forbidden).hasMessageContaining("ADD COLUMN extra").hasMessageNotContaining("CREATE");
            newer.prepare(connection, true);
            newer.prepare(connection, true);
            assertThat(newer.version(connection)).isEqualTo(2);
        }
        assertThat(server.query("SELECT extra FROM " + name + ".entry")).containsExactly("new");
    }

    @Test
    void aMigrationThatFailsLeavesNothingBehind() throws SQLException {
        Schema broken = new Schema(name, List.of("CREATE TABLE $.meta (schema_version int); SELECT 1 / 0"));

        try (Connection connection = server.connect()) {
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> broken.prepare(connection, true));
            assertThat(broken.version(connection)).isZero();
            assertThat(connection.getAutoCommit()).isTrue();
        }
        open().close();
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
