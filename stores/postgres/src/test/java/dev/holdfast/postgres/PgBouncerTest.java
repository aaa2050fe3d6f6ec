package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import dev.holdfast.store.WriteOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Tests behind PgBouncer, where each transaction may run in another session of the server. */
class PgBouncerTest {
    private static final Server SERVER = Server.shared();

    @TempDir
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static PgBouncer bouncer;

    private final String schema = Server.freshSchema();

    @BeforeAll
    static void start() throws Exception {
        PgBouncer.assumeInstalled(PgBouncerTest.class);
        bouncer = PgBouncer.start(folder, SERVER, "transaction");
    }

    @AfterAll
    static void stop() {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Test
    void aStoreWorksByDefaultWithPooledTransactions() {
        try (LeaseStore store = PostgresStore.open(bouncer.url(schema));
                LeaseStore other = PostgresStore.open(bouncer.url(schema))) {
            List<Entry> entries = Entries.many("pooled", 20);
            store.apply(entries.stream().map(Change::insert).toList());
            for (int round = 0; round < 10; round++) {
                entries = Entries.renewAll(round % 2 == 0 ? store : other, entries);
                assertThat(other.read(List.of(entries.get(3).key()))
                                .get(0)
                                .orElseThrow()
                                .entry())
                        .isEqualTo(entries.get(3));
                assertThat(store.scan(EntryScan.of("", 100)).entries()).hasSize(20);
            }
            Entry first = entries.get(0);
            assertThat(store.apply(List.of(Change.remove(first.key(), first.version()))))
                    .containsExactly(WriteOutcome.APPLIED);
        }
    }

    @Test
    void aPooledStoreDoesNotNotifySoThatWaitersPoll() throws Exception {
        try (LeaseStore store = PostgresStore.open(bouncer.url(schema));
                Leases ann = open("ann");
                Leases bob = open("bob")) {
            assertThat(store).isNotInstanceOf(ChangeNotifier.class);
            Lease lease = ann.tryAcquire("a").orThrow();
            CompletableFuture<AcquireResult> waiting = bob.async()
                    .acquire(Key.of("a"), AcquireOptions.defaults(), Duration.ofSeconds(30))
                    .toCompletableFuture();
            lease.release();

            waiting.get(20, TimeUnit.SECONDS).orThrow().release();
        }
    }

    @Test
    void aReleaseThroughThePoolerWakesClientsThatAreConnectedDirectly() throws Exception {
        try (Leases ann = open("ann");
                PostgresStore direct = PostgresStore.open(SERVER.url(schema))) {
            Lease lease = ann.tryAcquire("a").orThrow();
            Semaphore wakes = new Semaphore(0);
            ((ChangeNotifier) direct).onFreed(Key.of("a"), found -> wakes.release());
            Eventually.holds(() -> SERVER.query("SELECT 1 FROM " + schema + ".entry WHERE wanted > clock_timestamp()")
                            .size()
                    == 1);
            lease.release();

            assertThat(wakes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void everyTransactionHasTheSettingsAndLeavesNoneBehind() throws SQLException {
        PostgresUrl url = PostgresUrl.parse(bouncer.url(schema, "timeout=1234ms"));
        List<String> inside = new ArrayList<>();
        List<String> outside = new ArrayList<>();
        Set<Integer> sessions = new HashSet<>();
        try (PostgresConnections connections = new PostgresConnections(url);
                Connection connection = connections.borrow()) {
            String query = "SELECT pg_backend_pid(), concat_ws(' ', current_setting('statement_timeout'),"
                    + " current_setting('lock_timeout'), current_setting('enable_seqscan'))";
            // PgBouncer opens the sessions of its pool one by one.
            for (int i = 0; i < 12 || (sessions.size() < 2 && i < 10_000); i++) {
                try (PreparedStatement statement = connections.settings().prepare(connection, query);
                        ResultSet row = connections.settings().run(statement)) {
                    row.next();
                    sessions.add(row.getInt(1));
                    inside.add(row.getString(2));
                }
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(query)) {
                    row.next();
                    outside.add(row.getString(2));
                }
            }
        }

        assertThat(sessions).as("sessions of the server").hasSizeGreaterThan(1);
        assertThat(inside).containsOnly("1234ms 246ms off");
        assertThat(outside).containsOnly("0 0 on");
    }

    @Test
    void aCommitWaitsForTheDiskWithAnySessionSetting() throws Exception {
        SERVER.execute("ALTER DATABASE postgres SET synchronous_commit = off");
        try (PgBouncer hasty = PgBouncer.start(folder, SERVER, "transaction");
                PostgresConnections connections = new PostgresConnections(PostgresUrl.parse(hasty.url(schema)));
                Connection connection = connections.borrow()) {
            for (int i = 0; i < 8; i++) {
                try (PreparedStatement statement = connections
                                .settings()
                                .prepare(connection, "SELECT current_setting('synchronous_commit')");
                        ResultSet row = connections.settings().run(statement)) {
                    row.next();
                    assertThat(row.getString(1)).isEqualTo("on");
                }
            }
        } finally {
            SERVER.execute("ALTER DATABASE postgres RESET synchronous_commit");
        }
    }

    @Test
    void aLockedRowFailsBehindThePoolerToo() throws SQLException {
        try (PostgresStore store = PostgresStore.open(bouncer.url(schema, "timeout=2s"));
                Connection other = SERVER.connect();
                Statement statement = other.createStatement()) {
            List<Entry> entries = Entries.many("locked", 3);
            store.apply(entries.stream().map(Change::insert).toList());
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + schema + ".entry WHERE name = 'key-1' FOR UPDATE");

            List<WriteOutcome> outcomes = store.apply(entries.stream()
                    .map(entry -> Change.replace(entry.version(), Entries.renewed(entry)))
                    .toList());

            assertThat(outcomes.get(0)).isEqualTo(WriteOutcome.APPLIED);
            assertThat(outcomes.get(1)).isInstanceOf(WriteOutcome.Failed.class);
            assertThat(outcomes.get(2)).isEqualTo(WriteOutcome.APPLIED);
        }
    }

    @Test
    void theCheckNamesThePoolerAndItsCost() {
        PostgresStore.open(bouncer.url(schema)).close();
        for (int i = 0; i < 5; i++) {
            List<Finding> findings = PostgresCheck.run(bouncer.url(schema), Instant::now);

            assertThat(findings).noneMatch(finding -> finding.level() == Level.ERROR);
            assertThat(findings)
                    .filteredOn(finding -> finding.level() == Level.WARNING)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.what())
                            .startsWith("a connection pooler is in between")
                            .contains("LISTEN", "poll"));
        }
        assertThat(PostgresCheck.run(bouncer.url(schema, "pooled=false"), Instant::now))
                .anyMatch(finding -> finding.what().contains("pool_mode = session"));
    }

    @Test
    void anErrorOfAnUndeclaredPoolerNamesTheParameterToSet() {
        StoreException failure = catchThrowableOfType(StoreException.class, () -> {
            for (int i = 0; i < 20; i++) {
                PostgresStore.open(bouncer.url(schema, "pooled=false")).close();
            }
        });

        assertThat(failure).hasMessageContaining("pooled=true");
    }

    @Test
    void aPoolerThatKeepsSessionsMayBeUsedLikeADirectConnection() throws Exception {
        try (PgBouncer keeping = PgBouncer.start(folder, SERVER, "session");
                PostgresStore store = PostgresStore.open(keeping.url(schema, "pooled=false", "pool=2"))) {
            assertThat(store).isInstanceOf(ChangeNotifier.class);
            List<Entry> entries = Entries.many("kept", 20);
            store.apply(entries.stream().map(Change::insert).toList());
            for (int round = 0; round < 5; round++) {
                entries = Entries.renewAll(store, entries);
            }
        }
    }

    @Test
    void anIsolationThatCannotBeSetBehindThePoolerIsRejected() throws Exception {
        SERVER.execute("ALTER DATABASE postgres SET default_transaction_isolation = 'repeatable read'");
        try (PgBouncer isolated = PgBouncer.start(folder, SERVER, "transaction")) {
            StoreException failure =
                    catchThrowableOfType(StoreException.class, () -> PostgresStore.open(isolated.url(schema)));

            assertThat(failure).hasMessageContaining("default_transaction_isolation");
            assertThat(failure.isRetryable()).isFalse();
        } finally {
            SERVER.execute("ALTER DATABASE postgres RESET default_transaction_isolation");
        }
    }

    @Test
    void aStoreIsCreatedAndUpgradedThroughThePooler() throws SQLException {
        PostgresStoreProvider provider = new PostgresStoreProvider();
        provider.init(bouncer.url(schema), text -> {});
        SERVER.execute("ALTER TABLE " + schema + ".meta DROP COLUMN min_reader, DROP COLUMN min_writer");

        provider.upgrade(bouncer.url(schema), text -> {});

        assertThat(SERVER.value("SELECT min_writer FROM " + schema + ".meta")).isEqualTo("1");
    }

    @Test
    void leasesAreAcquiredAndReleasedByManyClients() {
        for (int client = 0; client < 3; client++) {
            try (Leases leases = open("client-" + client)) {
                leases.tryAcquire("a").orThrow().release();
            }
        }
    }

    private Leases open(String holder) {
        return Holdfast.open(
                bouncer.url(schema), LeasesOptions.builder().holder(holder).build());
    }

    @Test
    void aMarkIsWrittenInATransactionBehindThePooler() throws Exception {
        Key order = Key.of("orders", "17");
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl("jdbc:"
                + bouncer.url(schema).replaceAll("://.*@", "://").replaceAll("[?].*", "") + "?prepareThreshold=0");
        dataSource.setUser("postgres");
        dataSource.setPassword("postgres");
        try (Leases leases = Holdfast.open(bouncer.url(schema));
                TransactionalOnce once = TransactionalOnce.on(leases).schema(schema)) {
            SERVER.execute("CREATE TABLE " + schema + ".shipped (id text)");
            for (int i = 0; i < 3; i++) {
                once.run(order, dataSource, (connection, lease) -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("INSERT INTO " + schema + ".shipped VALUES ('17')");
                    }
                });
            }
            assertThat(SERVER.query("SELECT id FROM " + schema + ".shipped")).containsExactly("17");
            assertThat(leases.get(order).orElseThrow().state()).isEqualTo(LeaseState.DONE);
            // The limit of the transaction must not stay on a connection that others use next.
            assertThat(SERVER.query("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
                            + " AND query LIKE '%" + schema + "%'"))
                    .containsExactly("0");
        }
    }
}
