package dev.holdfast.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
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
 * <p>The locks are tried, not waited for: Java can wait for a file lock only without limit. The kernel frees them when
 * their process ends, however it ends.
 *
 * <p>This is a courtesy and guards nothing: SQLite's own lock does. Whoever does not get its turn in time, or cannot have
 * locks here, goes ahead without. That is also why it may be lost: closing another store on the same file in this
 * process drops them. Confined to the writer.
 */
final class WriteTurn implements AutoCloseable {
    private static final long PLACE = 0;
    private static final long TURN = 1;

    /** The head of the line is one process, and every moment it sleeps too long nobody writes. */
    private static final long HEAD_PAUSE_NANOS = 50_000;
    /** Those behind may be many. */
    private static final long LONGEST_PAUSE_NANOS = 3_000_000;

    private static final long SHORTEST_PAUSE_NANOS = 300_000;

    private final long patienceNanos;
    private @Nullable FileChannel channel;
    private @Nullable FileLock turn;

    private WriteTurn(@Nullable FileChannel channel, Duration patience) {
        this.channel = channel;
        this.patienceNanos = patience.toNanos();
    }

    static WriteTurn beside(Path database, Duration patience) {
        Path path = database.resolveSibling(database.getFileName() + "-turn");
        try {
            Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new WriteTurn(FileChannel.open(path, options, DatabaseFile.mode("rw-------")), patience);
        } catch (IOException e) {
            return new WriteTurn(null, patience);
        }
    }

    /** Waits for the turn, but not for ever. */
    void take() {
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

    /** Gives the turn to whoever is next. */
    void pass() {
        if (turn != null) {
            release(turn);
            turn = null;
        }
    }

    private @Nullable FileLock lock(long at, long startNanos) {
        boolean interrupted = false;
        try {
            while (channel != null) {
                FileLock lock = tryLock(channel, at);
                long waitedNanos = System.nanoTime() - startNanos;
                if (lock != null || waitedNanos > patienceNanos) {
                    return lock;
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

    private @Nullable FileLock tryLock(FileChannel open, long at) {
        try {
            return open.tryLock(at, 1, false);
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
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The kernel has closed it, or will with the process.
        }
        channel = null;
    }
}
