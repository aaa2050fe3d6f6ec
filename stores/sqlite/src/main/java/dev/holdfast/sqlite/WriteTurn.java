package dev.holdfast.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Fair ordering of the processes that write one file.
 *
 * <p>SQLite grants its write lock to the process that tries at the right moment, and waiting processes retry less and
 * less often. A busy process that writes repeatedly can therefore starve others for seconds. So a writer locks two
 * bytes of a separate file before its transaction: first the place at the head of the queue, then the turn. With the
 * turn it releases the place. A process that has just written must queue again, and the process at the head goes first.
 * Two processes strictly alternate. Among several that wait for the place, the order is random, and each retries more
 * often the longer it waits.
 *
 * <p>A process that writes alone skips this. A writer that found another writer in its way marks the file, and for a
 * while all writers take turns.
 *
 * <p>The locks are polled, because Java can wait for a file lock only without a timeout. The kernel releases them when
 * their process ends for any reason.
 *
 * <p>This is a courtesy, not a safeguard: SQLite's own lock protects the data. A writer that gets no turn in time, or
 * cannot lock the file, goes ahead without. For the same reason the locks may get lost: closing another store on the
 * same file in this process drops them. Only the thread that writes uses this object.
 *
 * <p>It uses the time of the machine, not of {@link dev.holdfast.store.HostEnvironment}. It waits for other processes,
 * and an environment with stopped time would wait for ever.
 */
final class WriteTurn implements AutoCloseable {
    private static final long PLACE = 0;
    private static final long TURN = 1;
    /** Offset of the mark: the wall-clock time, in milliseconds, until which writers take turns. */
    private static final long MARK = 8;

    /** Only one process is at the head of the queue, and no process writes while it oversleeps. */
    private static final long HEAD_PAUSE_NANOS = 50_000;
    /** There may be many processes behind the head. */
    private static final long LONGEST_PAUSE_NANOS = 3_000_000;

    private static final long SHORTEST_PAUSE_NANOS = 300_000;
    /** How long writers take turns after the last collision: many times the longest wait of one writer for another. */
    private static final long WANTED_MILLIS = 1_000;

    private final long patienceNanos;
    /** Not a plain channel: an interrupt would close it. */
    private @Nullable RandomAccessFile file;

    private @Nullable FileLock turn;

    private WriteTurn(@Nullable RandomAccessFile file, Duration patience) {
        this.file = file;
        this.patienceNanos = TimeUnit.NANOSECONDS.convert(patience);
    }

    static WriteTurn beside(Path database, Duration patience) {
        Path path = path(database);
        try {
            share(path, database, create(path));
            return new WriteTurn(new RandomAccessFile(path.toFile(), "rw"), patience);
        } catch (IOException e) {
            return new WriteTurn(null, patience);
        }
    }

    static Path path(Path database) {
        return DatabaseFile.beside(database, "-turn");
    }

    /** Creates the file. Returns false if it exists already. */
    private static boolean create(Path path) throws IOException {
        try {
            Files.createFile(path, DatabaseFile.mode("rw-------"));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /**
     * Gives the file the group and mode of the database, and its owner where permitted. All users that can write the
     * database must be able to take turns. Links are not followed. An existing file is changed only if it belongs to
     * the owner of the database, because another user may have planted it.
     */
    private static void share(Path path, Path database, boolean isNew) throws IOException {
        PosixFileAttributeView turns =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (turns == null) {
            return;
        }
        PosixFileAttributes wanted = Files.readAttributes(database, PosixFileAttributes.class);
        PosixFileAttributes found = turns.readAttributes();
        if (!found.isRegularFile() || !(isNew || found.owner().equals(wanted.owner()))) {
            return;
        }
        if (!found.group().equals(wanted.group())) {
            attempt(() -> turns.setGroup(wanted.group()));
        }
        if (!found.permissions().equals(wanted.permissions())) {
            attempt(() -> turns.setPermissions(wanted.permissions()));
        }
        if (!found.owner().equals(wanted.owner())) {
            attempt(() -> turns.setOwner(wanted.owner()));
        }
    }

    private static void attempt(Attempt change) {
        try {
            change.run();
        } catch (IOException e) {
            // This user lacks permission. Users that cannot open the file then take no turns.
        }
    }

    /** A change of a file's attributes. */
    private interface Attempt {
        void run() throws IOException;
    }

    /** Begins a transaction. If others write too, it first waits for the turn, up to the timeout. */
    void begin(SqliteSession session) throws SQLException {
        if (!isWanted()) {
            if (session.tryBegin()) {
                return;
            }
            want();
        }
        take();
        session.begin();
    }

    /** Releases the turn to the next writer. */
    void pass() {
        if (turn != null) {
            release(turn);
            turn = null;
        }
    }

    /** Returns whether writers got in each other's way recently. */
    boolean isWanted() {
        byte[] mark = new byte[Long.BYTES];
        try {
            if (file == null) {
                return false;
            }
            file.seek(MARK);
            if (file.read(mark) < mark.length) {
                return false;
            }
        } catch (IOException e) {
            return false;
        }
        long leftMillis = ByteBuffer.wrap(mark).getLong() - System.currentTimeMillis();
        // A mark further ahead dates from before the wall clock was set back.
        return leftMillis > 0 && leftMillis <= WANTED_MILLIS;
    }

    private void want() {
        byte[] mark = ByteBuffer.allocate(Long.BYTES)
                .putLong(System.currentTimeMillis() + WANTED_MILLIS)
                .array();
        try {
            if (file != null) {
                file.seek(MARK);
                file.write(mark);
            }
        } catch (IOException e) {
            // The disk may be full. The other writer then does not know that it should take turns.
        }
    }

    private void take() {
        long startNanos = System.nanoTime();
        FileLock place = lock(PLACE, startNanos);
        if (place != null) {
            try {
                turn = lock(TURN, startNanos);
            } finally {
                release(place);
            }
        }
    }

    private @Nullable FileLock lock(long at, long startNanos) {
        boolean interrupted = false;
        boolean waited = false;
        try {
            while (file != null) {
                FileLock lock = tryLock(file, at);
                long waitedNanos = System.nanoTime() - startNanos;
                if (lock != null || waitedNanos > patienceNanos) {
                    return lock;
                }
                if (!waited) {
                    want();
                    waited = true;
                }
                LockSupport.parkNanos(at == TURN ? HEAD_PAUSE_NANOS : pauseNanos(waitedNanos));
                // An interrupt would make every later pause return immediately.
                interrupted |= Thread.interrupted();
            }
            return null;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long pauseNanos(long waitedNanos) {
        return Math.max(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS - waitedNanos / 16);
    }

    private @Nullable FileLock tryLock(RandomAccessFile open, long at) {
        try {
            return open.getChannel().tryLock(at, 1, false);
        } catch (OverlappingFileLockException e) {
            return null; // another store of this process holds it
        } catch (IOException e) {
            close();
            return null;
        }
    }

    private void release(FileLock lock) {
        try {
            lock.release();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // The kernel has closed it already, or will when the process ends.
        }
        file = null;
    }
}
