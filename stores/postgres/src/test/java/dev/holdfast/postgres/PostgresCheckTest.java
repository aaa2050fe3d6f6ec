package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.StoreException;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresCheckTest {
    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();

    @Test
    void aDurableServerWithoutReplicasIsFine() {
        PostgresStore.open(server.url(schema)).close();

        assertThat(check()).allMatch(finding -> finding.level() == Level.OK);
    }

    @Test
    void aMissingSchemaIsReportedAndNotCreated() throws SQLException {
        assertThat(warnings()).singleElement().asString().contains("no tables yet");
        assertThat(server.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isEmpty();
    }

    @Test
    void aSchemaOfANewerHoldfastIsAnError() throws SQLException {
        PostgresStore.open(server.url(schema)).close();
        String use = "UPDATE " + schema + ".meta SET schema_version = 7, min_reader = %d, min_writer = %d";

        server.execute(use.formatted(6, 7));
        assertThat(check())
                .anyMatch(finding -> finding.level() == Level.ERROR
                        && finding.what().contains("tables of version 7 are too new")
                        && finding.what().contains("version 6 may read them"));
        server.execute(use.formatted(1, 3));
        assertThat(check())
                .anyMatch(finding ->
                        finding.level() == Level.ERROR && finding.what().contains("can be read and not written"));
        server.execute(use.formatted(1, 1));
        assertThat(check()).allMatch(finding -> finding.level() == Level.OK);
    }

    @Test
    void commitsThatDoNotWaitForTheDiskAreReportedAndOverridden() throws SQLException {
        PostgresStore.open(server.url(schema)).close();
        String role = schema + "_hasty";
        server.execute("CREATE ROLE " + role + " LOGIN SUPERUSER PASSWORD 'x'; ALTER ROLE " + role
                + " SET synchronous_commit = off");
        String url = server.url(schema).replace("postgres:postgres@", role + ":x@");

        assertThat(PostgresCheck.run(url, Instant::now))
                .anyMatch(finding ->
                        finding.level() == Level.WARNING && finding.what().startsWith("synchronous_commit is off"));
        try (PostgresConnections connections = new PostgresConnections(PostgresUrl.parse(url));
                var connection = connections.borrow();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW synchronous_commit")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("on");
        }
    }

    @Test
    void aServerThatMayLoseWritesIsReported() throws IOException {
        try (EmbeddedPostgres forgetful = EmbeddedPostgres.builder()
                .setServerConfig("full_page_writes", "off")
                .start()) {
            List<Finding> findings = PostgresCheck.run(Server.url(forgetful.getPort(), schema), Instant::now);

            for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
                assertThat(findings)
                        .anyMatch(finding -> finding.level() == Level.WARNING
                                && finding.what().startsWith(setting + " is off"));
            }
        }
    }

    @Test
    void aTransactionThatIsOpenForLongIsReportedWithItsCost() throws SQLException {
        PostgresStore.open(server.url(schema)).close();
        PostgresUrl url = PostgresUrl.parse(server.url(schema));
        try (Connection other = server.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("SET application_name = 'report'; SELECT 1");

            assertThat(PostgresCheck.run(url, Instant::now, Duration.ZERO))
                    .anyMatch(finding -> finding.level() == Level.WARNING
                            && finding.what().contains("(report) is open for")
                            && finding.what().contains("no dead row can be removed"));
            assertThat(PostgresCheck.run(url, Instant::now, Duration.ofMinutes(5)))
                    .anyMatch(finding ->
                            finding.level() == Level.OK && finding.what().equals("no transaction is open for long"));
        }
    }

    @Test
    void aClockThatDiffersIsReported() {
        PostgresStore.open(server.url(schema)).close();

        List<Finding> findings =
                PostgresCheck.run(server.url(schema), () -> Instant.now().plus(Duration.ofMinutes(1)));

        assertThat(findings)
                .anyMatch(finding -> finding.level() == Level.WARNING
                        && finding.what().matches("the database's clock and ours differ by (59|60)\\d{3} ms.*"));
    }

    @Test
    void aMissingDatabaseIsAnError() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> PostgresCheck.run(Server.url(1, schema, "timeout=1s"), Instant::now));
    }

    @Test
    void initCreatesTheTablesEvenIfOpeningMayNot() {
        List<String> progress = new ArrayList<>();
        String url = server.url(schema, "create=false");

        new PostgresStoreProvider().init(url, progress::add);
        new PostgresStoreProvider().init(url, progress::add);

        assertThat(progress)
                .containsExactly("created the tables, version 2", "the tables are there already, version 2");
        assertThat(check()).allMatch(finding -> finding.level() == Level.OK);
        PostgresStore.open(url).close();
    }

    private List<Finding> check() {
        return PostgresCheck.run(server.url(schema), Instant::now);
    }

    private List<String> warnings() {
        return check().stream()
                .filter(finding -> finding.level() == Level.WARNING)
                .map(Finding::what)
                .toList();
    }
}
