package dev.holdfast.sqlite;

import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Entries in an SQLite file that the processes of one host share; see {@link SqliteStoreProvider}.
 *
 * <p>One connection writes and one reads, each lent to one call at a time. A batch is one transaction that takes the write
 * lock at its beginning, so that what it compares cannot change under it; the log makes it durable with one sync. A read
 * sees all that was committed before it began, and neither waits for a writer nor holds one up.
 *
 * <p>A writer waits for its turn and then for SQLite's lock, half of {@link #PATIENCE} each; then it gives up, and
 * nothing was written.
 *
 * <p>Each call first makes sure that the path still leads to the file that is open here, and a write does so again after
 * its commit. From then on other processes may grant the same keys in another file, so nothing is granted or renewed in
 * this one: its holders lose their leases at the latest at the end of their terms.
 */
final class SqliteStore implements LeaseStore, ChangeNotifier {
    /** Long enough for fifty processes on a slow disk, short enough to be told of a stuck one within a usual time-out. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** More rows per commit hardly go faster, and others wait for the lock all the while. */
    private static final int BATCH_LIMIT = 512;

    /** The boot clock has steps of 10 ms, and a beat's age is the difference of two of its times. */
    private static final Duration CLOCK_STEP = Duration.ofMillis(20);

    private static final StoreTraits TRAITS = new StoreTraits(1, BATCH_LIMIT, CLOCK_STEP).withLongestCall(PATIENCE);

    private final SqliteErrors errors;
    private final DatabaseFile file;
    private final Schema schema;
    private final BootClock clock;
    private final Link reader;
    private final Link writer;
    private final WriteTurn turn;
    private final Watch watch;

    private SqliteStore(SqliteErrors errors, DatabaseFile file, Schema schema, BootClock clock, Duration patience)
            throws SQLException {
        this.errors = errors;
        this.file = file;
        this.schema = schema;
        this.clock = clock;
        // The reader first: it cannot harm a file that is not ours.
        this.reader = Link.open(file::openReader);
        boolean opened = false;
        try {
            this.writer = Link.open(file::openWriter);
            opened = true;
        } finally {
            if (!opened) {
                reader.close();
            }
        }
        this.turn = file.turn(patience);
        this.watch = new Watch(file::openReader, Watch.LINGER);
    }

    static SqliteStore open(SqliteUrl url, BootClock clock) {
        return open(url, clock, PATIENCE, Schema.CURRENT, FileSystemTypes.system());
    }

    static SqliteStore open(SqliteUrl url, BootClock clock, Duration patience, Schema schema, FileSystemTypes types) {
        SqliteErrors errors = new SqliteErrors(url.path(), patience);
        Duration half = patience.dividedBy(2);
        DatabaseFile file = DatabaseFile.of(url, schema, half, errors, types);
        try {
            return new SqliteStore(errors, file, schema, clock, half);
        } catch (SQLException e) {
            throw errors.notApplied(e);
        }
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        return changes.isEmpty()
                ? List.of()
                : call(writer, session -> {
                    file.requireUnchanged(session);
                    boolean isWritten = changes.size() == 1 && isWrittenAlone(session, changes.get(0));
                    List<Outcome> outcomes = isWritten ? List.of(Outcome.APPLIED) : write(session, changes);
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

    /** One change, of which nothing is to be said but that it was applied, needs no transaction around its statement. */
    private boolean isWrittenAlone(Session session, Change change) {
        if (change.next() == null || turn.isWanted()) {
            return false;
        }
        try {
            return session.ifIdle(() -> {
                schema.requireWriter(session, errors);
                return new Batch(session, clock.now()).isApplied(change);
            });
        } catch (SQLException e) {
            throw errors.ofAlone(e);
        }
    }

    private List<Outcome> write(Session session, List<Change> changes) throws SQLException {
        try {
            turn.begin(session);
            schema.requireWriter(session, errors);
            // Stamped with the lock in hand: a beat's time is never before that of a write that came first.
            List<Outcome> outcomes = new Batch(session, clock.now()).apply(changes);
            commit(session);
            return outcomes;
        } finally {
            turn.pass();
        }
    }

    private void commit(Session session) {
        try {
            session.execute("COMMIT");
        } catch (SQLException e) {
            throw errors.unknown(e);
        }
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        return keys.isEmpty() ? List.of() : read(session -> readAll(session, keys));
    }

    private List<Optional<Stored>> readAll(Session session, List<Key> keys) throws SQLException {
        List<Optional<Stored>> found = new ArrayList<>(keys.size());
        // One snapshot for all saves locks, not lies: it is taken after the question.
        session.execute("BEGIN");
        BootTime now = clock.now();
        for (Key key : keys) {
            found.add(Optional.ofNullable(Batch.read(session, key, now)));
        }
        session.execute("COMMIT");
        return found;
    }

    @Override
    public Page scan(Scan scan) {
        ScanQuery query = new ScanQuery(scan);
        return read(session -> query.run(session, clock.now()));
    }

    private <T> T read(Link.Work<T> work) {
        return call(reader, session -> {
            file.requireUnchanged();
            return work.on(session);
        });
    }

    @Override
    public Registration onFreed(Key key, Runnable wake) {
        Runnable remove = watch.onFreed(key, wake);
        return remove::run;
    }

    private <T> T call(Link link, Link.Work<T> work) {
        try {
            return link.call(work);
        } catch (SQLException e) {
            throw errors.notApplied(e);
        }
    }

    /** Lets calls under way end. Further ones are refused with a {@link StoreException}. */
    @Override
    public void close() {
        watch.close();
        reader.close();
        writer.close();
        turn.close();
    }
}
