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
 * Lets the writers of one file take turns.
 *
 * <p>SQLite lets in whoever tries at the right moment, and those who wait look ever more rarely: a busy process that
 * writes again and again keeps others out for seconds. So before its transaction a writer takes two locks on the bytes of
 * a file beside: first the place at the head of the line, then the turn; with the turn it gives the place up. Who has
 * just written must stand in line again, and whoever is at the head goes first. Between two that is strict alternation;
 * among those who wait for the place, luck decides, and they look the more often the longer they wait.
 *
 * <p>Whoever writes alone need not: a writer that found another one in its way says so in the file, and for a while after
 * that all of them take turns.
 *
 * <p>The locks are tried, not waited for: Java can wait for a file lock only without limit. The kernel frees them when
 * their process ends, however it ends.
 *
 * <p>This is a courtesy and guards nothing: SQLite's own lock does. Whoever does not get its turn in time, or cannot have
 * locks here, goes ahead without. That is also why it may be lost: closing another store on the same file in this
 * process drops them. Confined to the writer.
 *
 * <p>Time is the machine's own here, not that of {@link dev.holdfast.store.HostEnvironment}: what is waited for is another process,
 * which a runtime that stands still would wait for in vain.
 */
final class WriteTurn implements AutoCloseable {
    private static final long PLACE = 0;
    private static final long TURN = 1;
    /** Where the mark is: the time of the wall clock, in milliseconds, until which turns are taken. */
    private static final long MARK = 8;

    /** The head of the line is one process, and every moment it sleeps too long nobody writes. */
    private static final long HEAD_PAUSE_NANOS = 50_000;
    /** Those behind may be many. */
    private static final long LONGEST_PAUSE_NANOS = 3_000_000;

    private static final long SHORTEST_PAUSE_NANOS = 300_000;
    /** How long turns are taken after somebody was last in the way: many times the longest that one waits for another. */
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
        return database.resolveSibling(database.getFileName() + "-turn");
    }

    /** Creates the file; false if it is there already. */
    private static boolean create(Path path) throws IOException {
        try {
            Files.createFile(path, DatabaseFile.mode("rw-------"));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /**
     * Gives the file the group and the mode of the database, and its owner where this user may: all users that can write
     * the database must be able to take turns. No link is followed, and a file that was there before is changed only if
     * the owner of the database has it: another user may have put it there.
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
            // This user may not; then users that cannot open the file take no turns.
        }
    }

    /** A change of a file's attributes. */
    private interface Attempt {
        void run() throws IOException;
    }

    /** Begins a transaction, after waiting for the turn if others write too; but not for ever. */
    void begin(SqliteSession sqliteSession) throws SQLException {
        if (!isWanted()) {
            if (sqliteSession.tryBegin()) {
                return;
            }
            want();
        }
        take();
        sqliteSession.begin();
    }

    /** Gives the turn to whoever is next. */
    void pass() {
        if (turn != null) {
            release(turn);
            turn = null;
        }
    }

    /** Whether writers were in each other's way of late. */
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
        // A mark further ahead is from before the wall clock was set back.
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
            // A full disk, say. Whoever is in the way does not hear of it.
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
                // Or no pause would be one.
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
            return null; // another store of this process has it
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
            // The kernel has closed it, or will with the process.
        }
        file = null;
    }
}
