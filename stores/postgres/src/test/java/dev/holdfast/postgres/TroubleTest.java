package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failures on the way to the database and inside it: each gives a result, or a truthful error. */
@Tag("slow")
class TroubleTest {
    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();

    @Test
    void anUnreachableDatabaseIsRetryable() {
        assertThat(failure(() -> PostgresStore.open(Server.url(1, schema, "timeout=1s")), Effect.NOT_APPLIED, true))
                .hasMessageContaining("cannot connect");
    }

    @Test
    void aMissingDatabaseIsNotRetryable() {
        String url = server.url(schema).replace("/postgres?", "/nowhere?");
        failure(() -> PostgresStore.open(url), Effect.NOT_APPLIED, false);
    }

    @Test
    void aClosedStoreRejectsCalls() {
        PostgresStore store = PostgresStore.open(server.url(schema));
        store.close();

        failure(() -> insert(store, "a"), Effect.NOT_APPLIED, false);
        failure(() -> store.read(List.of(Key.of("a"))), Effect.NOT_APPLIED, false);
    }

    @Test
    void aStatementThatTakesTooLongIsRolledBack() throws SQLException {
        try (PostgresStore store = PostgresStore.open(server.url(schema, "timeout=500ms"))) {
            server.execute("CREATE FUNCTION " + schema + ".slow() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM pg_sleep(30); RETURN NEW; END'; CREATE TRIGGER slow BEFORE INSERT ON " + schema
                    + ".entry FOR EACH ROW EXECUTE FUNCTION " + schema + ".slow()");

            StoreException failure = failure(() -> insert(store, "a"), Effect.NOT_APPLIED, true);

            assertThat(failure).hasMessageContaining("[57014]");
            server.execute("DROP TRIGGER slow ON " + schema + ".entry");
            assertThat(entries(store)).isEmpty();
            assertWorks(store);
        }
    }

    @Test
    void withoutAConnectionNothingIsWritten() throws Exception {
        try (PostgresStore store = PostgresStore.open(server.url(schema, "pool=1", "timeout=1s"));
                Connection other = server.connect();
                Statement statement = other.createStatement()) {
            Entry entry = insert(store, "a");
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE " + schema + ".entry IN ACCESS EXCLUSIVE MODE");
            AtomicInteger number = new AtomicInteger();
            // A key that is known to be locked would not keep the connection.
            List<StoreException> failures =
                    atOnce(12, () -> failureOf(() -> insertOrThrow(store, "b-" + number.incrementAndGet())));

            assertThat(failures).allSatisfy(failure -> {
                assertThat(failure.effect()).isEqualTo(Effect.NOT_APPLIED);
                assertThat(failure.isRetryable()).isTrue();
            });
            assertThat(failures)
                    .anyMatch(failure -> String.valueOf(failure.getMessage()).contains("cannot connect"));
            other.rollback();
            assertThat(entries(store)).containsExactly(entry);
            assertWorks(store);
        }
    }

    @Test
    void aReadOnlyServerIsRetryable() throws SQLException {
        String url = server.url(schema);
        try (PostgresStore store = PostgresStore.open(url)) {
            server.execute("CREATE FUNCTION " + schema + ".demoted() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN RAISE EXCEPTION USING ERRCODE = ''25006''; END'; CREATE TRIGGER demoted BEFORE INSERT ON "
                    + schema + ".entry FOR EACH ROW EXECUTE FUNCTION " + schema + ".demoted()");

            assertThat(failure(() -> insert(store, "a"), Effect.NOT_APPLIED, true))
                    .hasMessageContaining("[25006]");

            server.execute("DROP TRIGGER demoted ON " + schema + ".entry");
            assertWorks(store);
        }
    }

    @Test
    void withoutAPrimaryAnErrorIsRetryable() throws SQLException {
        server.execute("CREATE ROLE " + schema + "_reader LOGIN PASSWORD 'x'; ALTER ROLE " + schema
                + "_reader SET default_transaction_read_only = on");
        String url = server.url(schema).replace("postgres:postgres@", schema + "_reader:x@");

        assertThat(failure(() -> PostgresStore.open(url), Effect.NOT_APPLIED, true))
                .hasMessageContaining("primary");
    }

    @Test
    void anEntryThatTheTablesRejectIsNotRetryable() throws SQLException {
        try (PostgresStore store = PostgresStore.open(server.url(schema))) {
            server.execute("ALTER TABLE " + schema + ".entry ADD CHECK (fence < 5000)");
            StoreException constraint = failure(
                    () -> store.apply(List.of(Change.insert(Entries.held(Key.of("a"), 5000)))),
                    Effect.NOT_APPLIED,
                    false);
            // The rejected row contains a token.
            assertThat(constraint).hasMessageContaining("[23514]").hasMessageNotContaining("Failing row");

            server.execute("DROP TABLE " + schema + ".entry");
            failure(() -> insert(store, "a"), Effect.NOT_APPLIED, false);
            failure(() -> store.scan(EntryScan.of("", 10)), Effect.NOT_APPLIED, false);
        }
    }

    @Test
    void aConnectionThatIsKilledWhileWritingGivesAResultOrATruthfulError() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (PostgresStore store = PostgresStore.open(server.url(schema))) {
            insert(store, "a");
            ExecutorService killer = Executors.newSingleThreadExecutor();
            try {
                Future<Integer> kills = killer.submit(() -> killUntil(over));
                List<Tally> tallies = atOnce(4, () -> write(store));
                over.set(true);
                evictKilledConnections(store);

                assertThat(kills.get(10, TimeUnit.SECONDS)).isPositive();
                assertThat(tallies.stream().mapToInt(tally -> tally.unknown).sum())
                        .as("connections lost in the middle")
                        .isPositive();
                tallies.forEach(tally -> {
                    List<Version> stored = tally.versions(store);
                    assertThat(stored).containsAll(tally.acknowledged).noneMatch(tally.notApplied::contains);
                });
            } finally {
                over.set(true);
                killer.shutdownNow();
            }
            assertWorks(store);
        }
    }

    @Test
    void aStoreWhoseFirstConnectionDiesWorksAgain() throws Exception {
        // Hikari asks this once, of its first connection, and then takes what it found for granted.
        try (CommitCutter cutter = new CommitCutter(server.port(), "SHOW TRANSACTION ISOLATION LEVEL");
                PostgresStore store = PostgresStore.open(Server.url(cutter.port(), schema, "timeout=1s"))) {
            cutter.cut(CommitCutter.Cut.BEFORE);
            assertWorks(store);
            assertThat(cutter.cuts()).isPositive();
        }
    }

    /** Responses that one writer got for its inserts. */
    private static final class Tally {
        final List<Change> sent = new ArrayList<>();
        final List<Version> acknowledged = new ArrayList<>();
        final List<Version> notApplied = new ArrayList<>();
        int unknown;

        List<Version> versions(PostgresStore store) {
            List<Version> versions = new ArrayList<>();
            for (Change change : sent) {
                store.read(List.of(change.key()))
                        .get(0)
                        .ifPresent(stored -> versions.add(stored.entry().version()));
            }
            return versions;
        }
    }

    private static Tally write(PostgresStore store) {
        Tally tally = new Tally();
        for (int i = 0; i < 150 || (tally.unknown == 0 && i < 5000); i++) {
            Entry entry = Entries.held(Key.of("thread-" + Thread.currentThread().getId(), "key-" + i), 1000);
            Change change = Change.insert(entry);
            tally.sent.add(change);
            try {
                assertThat(store.apply(List.of(change))).containsExactly(WriteOutcome.APPLIED);
                tally.acknowledged.add(entry.version());
            } catch (StoreException e) {
                assertThat(e.isRetryable()).isTrue();
                if (e.effect() == Effect.NOT_APPLIED) {
                    tally.notApplied.add(entry.version());
                } else {
                    tally.unknown++;
                }
            }
        }
        return tally;
    }

    private int killUntil(AtomicBoolean over) throws SQLException, InterruptedException {
        int kills = 0;
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            while (!over.get()) {
                statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'active'"
                        + " AND pid <> pg_backend_pid() AND query LIKE '%\"" + schema + "\"%' LIMIT 1");
                kills += 1;
                Thread.sleep(15);
            }
        }
        return kills;
    }

    private static Entry insert(PostgresStore store, String name) {
        Entry entry = Entries.held(name);
        assertThat(store.apply(List.of(Change.insert(entry)))).containsExactly(WriteOutcome.APPLIED);
        return entry;
    }

    private static void insertOrThrow(PostgresStore store, String name) {
        if (store.apply(List.of(Change.insert(Entries.held(name)))).get(0) instanceof WriteOutcome.Failed failed) {
            throw failed.failure();
        }
    }

    private static List<Entry> entries(PostgresStore store) {
        return store.scan(EntryScan.of("", 100)).entries().stream()
                .map(stored -> stored.entry())
                .toList();
    }

    /** Uses every connection of the pool, because some may be dead and unused since. */
    private static void evictKilledConnections(PostgresStore store) {
        for (int i = 0; i < 10; i++) {
            try {
                store.read(List.of(Key.of("any")));
            } catch (StoreException e) {
                assertThat(e.isRetryable()).isTrue();
            }
        }
    }

    private static void assertWorks(PostgresStore store) {
        for (int i = 0; i < 8; i++) {
            insert(store, "works-" + i);
        }
        assertThat(entries(store)).hasSizeGreaterThanOrEqualTo(8);
    }

    private static StoreException failure(Runnable call, Effect effect, boolean retryable) {
        StoreException failure = failureOf(call);
        assertThat(failure.effect()).isEqualTo(effect);
        assertThat(failure.isRetryable()).isEqualTo(retryable);
        return failure;
    }

    private static StoreException failureOf(Runnable call) {
        StoreException failure = catchThrowableOfType(StoreException.class, call::run);
        assertThat(failure).isNotNull();
        return failure;
    }

    private static <T> List<T> atOnce(int threads, Callable<T> call) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(executor.submit(call));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }
}
