package dev.holdfast.sqlite;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.sqlite.clock.BootClock.BootTime;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Store of entries in an SQLite file that the processes of one host share; see {@link SqliteStoreProvider}.
 *
 * <p>One connection writes and one reads, and each serves one call at a time. A batch is one transaction that takes the
 * write lock at its beginning, so the rows that it compares cannot change under it. The write-ahead log makes it
 * durable with one sync. A read sees everything committed before it began. It neither waits for a writer nor delays
 * one.
 *
 * <p>A writer waits for its turn and then for SQLite's lock, half of {@link #PATIENCE} each. Then it gives up, and
 * nothing was written.
 *
 * <p>Each call first verifies that the path still leads to the open file, and a write verifies it again after its
 * commit. If the file was replaced, other processes may grant the same keys in another file. So this store no longer
 * grants or renews anything, and its holders lose their leases at the latest at the end of their terms.
 */
public final class SqliteStore implements LeaseStore, ChangeNotifier {
    /**
     * Long enough for fifty processes on a slow disk, and short enough to report a stuck one within a usual timeout.
     */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Larger commits are hardly faster, and other processes wait for the lock meanwhile. */
    private static final int BATCH_LIMIT = 512;

    /** The boot clock has steps of 10 ms, and a beat's age is the difference of two of its times. */
    private static final Duration CLOCK_STEP = Duration.ofMillis(20);

    private static final StoreTraits TRAITS = new StoreTraits(1, BATCH_LIMIT, CLOCK_STEP).withLongestCall(PATIENCE);

    private final SqliteErrors errors;
    private final DatabaseFile file;
    private final SqliteSchema schema;
    private final BootClock clock;
    private final ConnectionLoan reader;
    private final ConnectionLoan writer;
    private final WriteTurn turn;
    private final ReleaseWatch watch;
    private final StoreTraits traits;

    private SqliteStore(
            SqliteErrors errors,
            DatabaseFile file,
            SqliteSchema schema,
            BootClock clock,
            Duration patience,
            int history)
            throws SQLException {
        this.errors = errors;
        this.file = file;
        this.schema = schema;
        this.clock = clock;
        // The reader comes first, because it cannot damage a file that is not ours.
        this.reader = ConnectionLoan.open(file::openReader);
        boolean opened = false;
        try {
            this.writer = ConnectionLoan.open(file::openWriter);
            opened = true;
        } finally {
            if (!opened) {
                reader.close();
            }
        }
        this.traits = TRAITS.withHistory(history);
        this.turn = file.turn(patience);
        this.watch = new ReleaseWatch(file::openReader, ReleaseWatch.LINGER);
    }

    static SqliteStore open(SqliteUrl url, BootClock clock) {
        return open(url, clock, PATIENCE, SqliteSchema.CURRENT, FileSystemTypes.system());
    }

    static SqliteStore open(
            SqliteUrl url, BootClock clock, Duration patience, SqliteSchema schema, FileSystemTypes types) {
        SqliteErrors errors = new SqliteErrors(url.path(), patience);
        Duration half = patience.dividedBy(2);
        DatabaseFile file = DatabaseFile.of(url, schema, half, errors, types);
        try {
            return new SqliteStore(errors, file, schema, clock, half, url.history());
        } catch (SQLException e) {
            throw errors.notApplied(e);
        }
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return changes.isEmpty()
                ? List.of()
                : call(writer, session -> {
                    file.requireUnchanged(session);
                    boolean isWritten = changes.size() == 1 && isWrittenAlone(session, changes.get(0));
                    List<WriteOutcome> outcomes = isWritten ? List.of(WriteOutcome.APPLIED) : write(session, changes);
                    requireWrittenToOurFile();
                    return outcomes;
                });
    }

    private void requireWrittenToOurFile() {
        Path changed = file.changedFile();
        if (changed != null) {
            throw errors.replacedDuringWrite(changed);
        }
    }

    /** Tries to write a single change without a transaction around its statement. Returns whether it was applied. */
    private boolean isWrittenAlone(SqliteSession session, Change change) {
        if (change.next() == null || turn.isWanted()) {
            return false;
        }
        try {
            return session.ifIdle(() -> {
                schema.requireWriter(session, errors);
                return new SqliteBatch(session, clock.now()).isApplied(change);
            });
        } catch (SQLException e) {
            throw errors.ofAlone(e);
        }
    }

    private List<WriteOutcome> write(SqliteSession session, List<Change> changes) throws SQLException {
        try {
            turn.begin(session);
            schema.requireWriter(session, errors);
            // Stamped under the lock, so that a beat's time is never before the time of an earlier write.
            List<WriteOutcome> outcomes = new SqliteBatch(session, clock.now()).apply(changes);
            commit(session);
            return outcomes;
        } finally {
            turn.pass();
        }
    }

    private void commit(SqliteSession session) {
        try {
            session.execute("COMMIT");
        } catch (SQLException e) {
            throw errors.unknown(e);
        }
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        return keys.isEmpty() ? List.of() : read(session -> readAll(session, keys));
    }

    private List<Optional<StoredEntry>> readAll(SqliteSession session, List<Key> keys) throws SQLException {
        List<Optional<StoredEntry>> found = new ArrayList<>(keys.size());
        // One snapshot for all keys saves locks. It is current, because it is taken after the call began.
        session.execute("BEGIN");
        BootTime now = clock.now();
        for (Key key : keys) {
            found.add(Optional.ofNullable(SqliteRows.read(session, key, now)));
        }
        session.execute("COMMIT");
        return found;
    }

    @Override
    public ScanPage scan(EntryScan scan) {
        ScanQuery query = new ScanQuery(scan);
        return read(session -> query.run(session, clock.now()));
    }

    private <T> T read(ConnectionLoan.SessionWork<T> work) {
        return call(reader, session -> {
            file.requireUnchanged();
            return work.on(session);
        });
    }

    @Override
    public Registration onFreed(Key key, WakeUp wake) {
        return watch.onFreed(key, wake);
    }

    private <T> T call(ConnectionLoan loan, ConnectionLoan.SessionWork<T> work) {
        try {
            return loan.call(work);
        } catch (SQLException e) {
            throw errors.notApplied(e);
        }
    }

    /** Waits for running calls to end. Later calls are rejected with a {@link StoreException}. */
    @Override
    public void close() {
        watch.close();
        reader.close();
        writer.close();
        turn.close();
    }
}
