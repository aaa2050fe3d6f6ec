package dev.holdfast.sqlite;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.sqlite.clock.BootClock.BootTime;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Tests of the errors reported when SQLite fails, and of the recovery of the store afterwards. */
@Tag("slow")
class TroubleTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("leases.db");
    }

    @Test
    void aLockKeptByOthersIsAwaitedAndThenReported() throws SQLException {
        Entry entry = Entries.held("a");
        try (SqliteStore store = Stores.open(file, Duration.ofMillis(400));
                Sql other = new Sql(file)) {
            other.run("BEGIN IMMEDIATE");
            long startNanos = System.nanoTime();

            StoreException failure = failure(store, Change.insert(entry));

            assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                    .isBetween(Duration.ofMillis(190), Duration.ofSeconds(10));
            assertThat(failure).hasMessage(file + ": others kept the file locked for PT0.4S; nothing was written");
            assertThat(failure.effect()).isEqualTo(Effect.NOT_APPLIED);
            assertThat(failure.isRetryable()).isTrue();
            assertThat(store.read(List.of(entry.key())).get(0)).isEmpty();

            other.run("ROLLBACK");
            assertApplied(store, Change.insert(entry));
        }
    }

    @Test
    void anEntryThatSqliteRejectsUndoesTheWholeBatch() throws SQLException {
        Entry good = Entries.held("good");
        Entry bad = Entries.held("bad");
        try (SqliteStore store = Stores.open(file);
                Sql other = new Sql(file)) {
            other.run("CREATE TRIGGER refuse BEFORE INSERT ON entry WHEN new.name = 'bad'"
                    + " BEGIN SELECT raise(ABORT, 'refused'); END");

            StoreException failure = failure(store, Change.insert(good), Change.insert(bad));

            assertThat(failure.effect()).isEqualTo(Effect.NOT_APPLIED);
            assertThat(failure.isRetryable()).isFalse();
            assertThat(store.scan(EntryScan.of("", 10)).entries()).isEmpty();
            assertApplied(store, Change.insert(good));
        }
    }

    @Test
    void tablesChangedByAnotherToolAreReportedImmediately() throws SQLException {
        try (Sql other = new Sql(file)) {
            Stores.open(file).close();
            other.run("ALTER TABLE entry RENAME COLUMN holder TO owner");
        }
        try (SqliteStore store = Stores.open(file)) {
            for (List<Change> changes : List.of(
                    List.of(Change.insert(Entries.held("alone"))),
                    List.of(Change.insert(Entries.held("one")), Change.insert(Entries.held("two"))))) {
                StoreException failure = failure(store, changes.toArray(Change[]::new));

                assertThat(failure).hasMessageContaining("its tables are not as Holdfast makes them");
                assertThat(failure.effect()).isEqualTo(Effect.NOT_APPLIED);
                assertThat(failure.isRetryable()).isFalse();
            }
        }
    }

    @Test
    void aFullDiskUndoesTheBatchAndMayBeTriedAgain() throws SQLException {
        SqliteErrors errors = new SqliteErrors(file, SqliteStore.PATIENCE);
        DatabaseFile database = DatabaseFile.of(
                Stores.url(file), SqliteSchema.CURRENT, SqliteStore.PATIENCE, errors, FileSystemTypes.system());
        List<Change> large = IntStream.range(0, 200)
                .mapToObj(i -> Change.insert(large("key-" + i)))
                .toList();
        try (ConnectionLoan loan = ConnectionLoan.open(database::openWriter)) {
            SQLException full =
                    catchThrowableOfType(SQLException.class, () -> loan.call(session -> writeLimited(session, large)));

            StoreException failure = errors.notApplied(full);
            assertThat(failure).hasMessageContaining("the disk is full");
            assertThat(failure.effect()).isEqualTo(Effect.NOT_APPLIED);
            assertThat(failure.isRetryable()).isTrue();

            // The next call has a new connection without the limit, and finds nothing of the batch.
            long left = loan.call(session -> session.number("SELECT count(*) FROM entry"));
            assertThat(left).isZero();
            List<WriteOutcome> outcomes = loan.call(session -> new SqliteBatch(session, null).apply(large));
            assertThat(outcomes).containsOnly(WriteOutcome.APPLIED);
        }
    }

    private static List<WriteOutcome> writeLimited(SqliteSession session, List<Change> changes) throws SQLException {
        session.number("PRAGMA max_page_count = 100");
        session.execute("BEGIN IMMEDIATE");
        return new SqliteBatch(session, null).apply(changes);
    }

    private static Entry large(String name) {
        return Entries.held(name)
                .withAttributes(Entries.version(), Attributes.of("x", AttributeValue.of(new byte[10_000])));
    }

    @Test
    void errorsReportTheEffectOnTheWrite() {
        assertMeans(SQLiteErrorCode.SQLITE_BUSY, true);
        assertMeans(SQLiteErrorCode.SQLITE_BUSY_RECOVERY, true);
        assertMeans(SQLiteErrorCode.SQLITE_LOCKED, true);
        assertMeans(SQLiteErrorCode.SQLITE_PROTOCOL, true);
        assertMeans(SQLiteErrorCode.SQLITE_FULL, true);
        assertMeans(SQLiteErrorCode.SQLITE_IOERR_WRITE, true);
        assertMeans(SQLiteErrorCode.SQLITE_CANTOPEN, true);
        assertMeans(SQLiteErrorCode.SQLITE_ERROR, false);
        assertMeans(SQLiteErrorCode.SQLITE_READONLY, false);
        assertMeans(SQLiteErrorCode.SQLITE_CORRUPT, false);
        assertMeans(SQLiteErrorCode.SQLITE_NOTADB, false);
        assertMeans(SQLiteErrorCode.SQLITE_CONSTRAINT_CHECK, false);
    }

    private void assertMeans(SQLiteErrorCode code, boolean isRetryable) {
        SqliteErrors errors = new SqliteErrors(file, SqliteStore.PATIENCE);
        SQLException error = new SQLiteException("trouble", code);

        assertThat(errors.notApplied(error).effect()).as("%s", code).isEqualTo(Effect.NOT_APPLIED);
        assertThat(errors.notApplied(error).isRetryable()).as("%s", code).isEqualTo(isRetryable);
        assertThat(errors.unknown(error).effect()).as("%s at commit", code).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void messagesNameTheFileTheCauseAndTheRemedy() {
        assertMessageContains(
                SQLiteErrorCode.SQLITE_FULL,
                "the disk is full, or the file has reached its size limit: free some space");
        assertMessageContains(SQLiteErrorCode.SQLITE_IOERR_SHMSIZE, "SQLITE_IOERR_SHMSIZE", "the disk is full");
        assertMessageContains(
                SQLiteErrorCode.SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE", "check the disk and the system's log");
        assertMessageContains(
                SQLiteErrorCode.SQLITE_IOERR_FSYNC, "SQLITE_IOERR_FSYNC", "check the disk and the system's log");
        assertMessageContains(SQLiteErrorCode.SQLITE_READONLY, "cannot be written", "the file and its folder");
        assertMessageContains(SQLiteErrorCode.SQLITE_CORRUPT, "damaged", "restore it from a backup");
        assertMessageContains(SQLiteErrorCode.SQLITE_NOTADB, "not an SQLite file", "name another file");
        assertMessageContains(SQLiteErrorCode.SQLITE_CANTOPEN, "cannot be opened", "folder");
    }

    /** Checks a failure before the commit, at the commit, and without a transaction. */
    private void assertMessageContains(SQLiteErrorCode code, String... words) {
        SqliteErrors errors = new SqliteErrors(file, SqliteStore.PATIENCE);
        SQLException error = new SQLiteException("trouble", code);
        for (StoreException failure : List.of(errors.notApplied(error), errors.unknown(error), errors.ofAlone(error))) {
            assertThat(failure).hasMessageStartingWith(file + ": ").hasMessageContainingAll(words);
        }
    }

    @Test
    void anErrorInTheMiddleOfAWriteIsRolledBackAndTheStoreWorksOn() throws SQLException {
        Entry entry = Entries.held("a");
        List<Throwable> thrown = List.of(
                new OutOfMemoryError("planted"),
                new IllegalStateException("planted"),
                new StackOverflowError("planted"));
        AtomicReference<@Nullable Throwable> next = new AtomicReference<>();
        BootClock failing = () -> {
            Throwable failure = next.getAndSet(null);
            if (failure instanceof Error error) {
                throw error;
            } else if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            return new BootTime("boot", 1);
        };
        try (SqliteStore store = Stores.open(file, failing);
                SqliteStore other = Stores.open(file)) {
            for (Throwable failure : thrown) {
                next.set(failure);
                assertThat(catchThrowable(
                                () -> store.apply(List.of(Change.insert(entry), Change.insert(Entries.held("b"))))))
                        .isNotNull();
                next.set(failure);
                assertThat(catchThrowable(() -> store.read(List.of(entry.key()))))
                        .isNotNull();

                assertApplied(other, Change.insert(Entries.held("other " + failure)));
                assertThat(store.read(List.of(entry.key())).get(0)).isEmpty();
            }
            assertApplied(store, Change.insert(entry));
        }
    }

    @Test
    void theLongestPatienceIsAccepted() {
        try (SqliteStore store = Stores.open(file, Duration.ofSeconds(Long.MAX_VALUE))) {
            assertApplied(store, Change.insert(Entries.held("a")));
        }
    }

    /** Times are only for display; a wrong clock must not keep leases from being granted. */
    @Test
    void timesThatTheFileCannotHoldAreClamped() {
        try (SqliteStore store = Stores.open(file)) {
            for (Instant time : List.of(Instant.MAX, Instant.MIN)) {
                Entry entry = Entry.empty(Key.of("at " + time), Entries.version(), Fence.of(7), time);
                assertApplied(store, Change.insert(entry));

                Instant read = store.read(List.of(entry.key()))
                        .get(0)
                        .orElseThrow()
                        .entry()
                        .createdAt();
                assertThat(read.isAfter(Instant.EPOCH)).isEqualTo(time.isAfter(Instant.EPOCH));
                assertThat(ChronoUnit.YEARS.between(read.atZone(UTC), Instant.EPOCH.atZone(UTC)))
                        .satisfies(years -> assertThat(Math.abs(years)).isGreaterThan(290_000));
            }
        }
    }

    @Test
    void aConnectionThatWasClosedIsReplaced() throws SQLException {
        SqliteErrors errors = new SqliteErrors(file, SqliteStore.PATIENCE);
        DatabaseFile database = DatabaseFile.of(
                Stores.url(file), SqliteSchema.CURRENT, SqliteStore.PATIENCE, errors, FileSystemTypes.system());
        try (ConnectionLoan loan = ConnectionLoan.open(database::openWriter)) {
            loan.call(session -> {
                session.close();
                return true;
            });
            assertThat(catchThrowable(() -> loan.call(session -> session.number("SELECT 1"))))
                    .isInstanceOf(SQLException.class);

            long one = loan.call(session -> session.number("SELECT 1"));
            assertThat(one).isEqualTo(1);
        }
    }

    @Test
    void writesContinueWithoutTurns() throws IOException {
        Files.createDirectory(folder.resolve("leases.db-turn"));

        try (SqliteStore store = Stores.open(file)) {
            assertApplied(store, Change.insert(Entries.held("a")));
        }
    }

    @Test
    void anInterruptedThreadWritesAndStaysInterrupted() throws SQLException {
        try (SqliteStore store = Stores.open(file, Duration.ofMillis(200));
                SqliteStore other = Stores.open(file)) {
            Thread.currentThread().interrupt();
            assertApplied(store, Change.insert(Entries.held("a")));
            assertApplied(other, Change.insert(Entries.held("b")));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aClosedStoreRejectsCalls() {
        SqliteStore store = Stores.open(file);
        store.close();

        assertThat(failure(store, Change.insert(Entries.held("a")))).hasMessage("the store is closed");
        assertThat(catchThrowableOfType(StoreException.class, () -> store.scan(EntryScan.of("", 1))))
                .hasMessage("the store is closed");
    }

    private static void assertApplied(SqliteStore store, Change change) {
        assertThat(store.apply(List.of(change))).containsExactly(WriteOutcome.APPLIED);
    }

    private static StoreException failure(SqliteStore store, Change... changes) {
        return catchThrowableOfType(StoreException.class, () -> store.apply(List.of(changes)));
    }
}
