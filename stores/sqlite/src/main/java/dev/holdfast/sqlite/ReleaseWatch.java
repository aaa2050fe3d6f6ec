package dev.holdfast.sqlite;

import dev.holdfast.Key;
import dev.holdfast.sqlite.SqliteWakers.Wish;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watcher that detects keys released by other processes, and wakes the clients of this process that wait for them.
 *
 * <p>SQLite sends no notification of a commit, but a connection can cheaply check whether other connections have
 * committed since its last check. One thread with its own connection does so every few milliseconds while any client
 * waits. Only after a commit does it read the awaited keys, and it wakes the clients of each key that is no longer
 * held. So unrelated commits cost a short read, not an attempt to acquire.
 *
 * <p>The thread starts with the first waiting client and ends some time after the last one left. If it fails, waiting
 * clients still retry by themselves.
 *
 * <p>It waits in real time, not in the time of {@link dev.holdfast.store.HostEnvironment}, because it waits for other
 * processes.
 */
final class ReleaseWatch implements AutoCloseable {
    static final String THREAD = "holdfast-sqlite-watch";

    static final String CHANGES = "PRAGMA data_version";
    static final String READ_STATE = "SELECT state, version FROM entry WHERE namespace = ?1 AND name = ?2";

    /** A hand-over takes half of this on average. A check that finds no commit takes some microseconds. */
    private static final long PAUSE_NANOS = 5_000_000;
    /** If nothing was written for a second, the holder is slow to release, and there may be many waiting clients. */
    private static final long QUIET_PAUSE_NANOS = 25_000_000;

    private static final int QUIET_CHECKS = 200;
    private static final long ERROR_PAUSE_NANOS = 250_000_000;
    /** The most keys read in one check; the rest are read in the next one. */
    private static final int KEYS_PER_CHECK = 500;
    /** Clients that wait now and then should not pay for a new thread and connection each time. */
    static final Duration LINGER = Duration.ofSeconds(2);

    private static final long CLOSE_TIMEOUT_MILLIS = 1_000;

    private final ConnectionLoan.Opening opening;
    private final Duration linger;
    private final SqliteWakers sqliteWakers = new SqliteWakers();
    private @Nullable Thread thread;
    private volatile boolean closed;

    ReleaseWatch(ConnectionLoan.Opening opening, Duration linger) {
        this.opening = opening;
        this.linger = linger;
    }

    /** Registers {@code wake} without blocking. Returns a callback that removes it. */
    Runnable onFreed(Key key, Runnable wake) {
        Runnable remove = sqliteWakers.add(key, wake);
        start();
        return remove;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            Thread started = new Thread(this::run, THREAD);
            started.setDaemon(true);
            // If the system cannot start another thread, this throws, and the next waiting client tries again.
            started.start();
            thread = started;
        }
    }

    synchronized boolean isWatching() {
        return thread != null;
    }

    /**
     * Returns whether the thread may end, because no client waits. The next waiting client then starts a new thread.
     */
    private synchronized boolean isOver() {
        if (!closed && !sqliteWakers.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }

    @SuppressWarnings("IllegalCatch") // Even after an error of the driver, waiting clients must be woken again.
    private void run() {
        do {
            try (SqliteSession sqliteSession = opening.open()) {
                // Commits before this connection cannot be detected, so all keys must be read.
                sqliteWakers.changed();
                serve(sqliteSession);
            } catch (Throwable e) {
                pause(ERROR_PAUSE_NANOS);
            }
        } while (!isOver());
    }

    /** Checks for commits until no client has waited for the linger time. */
    private void serve(SqliteSession sqliteSession) throws SQLException {
        long changes = sqliteSession.number(CHANGES);
        long lingerNanos = TimeUnit.NANOSECONDS.convert(linger);
        long lastWaiterNanos = System.nanoTime();
        int quiet = 0;
        while (!closed) {
            long now = System.nanoTime();
            if (sqliteWakers.isEmpty()) {
                if (now - lastWaiterNanos > lingerNanos) {
                    return;
                }
                quiet = 0;
            } else {
                lastWaiterNanos = now;
                long latest = sqliteSession.number(CHANGES);
                if (latest != changes) {
                    sqliteWakers.changed();
                    changes = latest;
                }
                quiet = readDueKeys(sqliteSession) ? 0 : quiet + 1;
            }
            pause(quiet < QUIET_CHECKS ? PAUSE_NANOS : QUIET_PAUSE_NANOS);
        }
    }

    /** Returns whether there was a key to read. */
    private boolean readDueKeys(SqliteSession sqliteSession) throws SQLException {
        List<Wish> due = sqliteWakers.due(KEYS_PER_CHECK);
        for (Wish wish : due) {
            Object found = notHeld(sqliteSession, wish.key);
            if (found != null) {
                wish.wakeFor(found);
            }
        }
        return !due.isEmpty();
    }

    /** Returns the version of an entry that is not held, a constant if there is no entry, or null if it is held. */
    private static @Nullable Object notHeld(SqliteSession sqliteSession, Key key) throws SQLException {
        PreparedStatement select = sqliteSession.prepared(READ_STATE);
        SqliteRows.bindKey(select, key);
        try (ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                return "none";
            }
            return SqliteRows.isHeld(row.getInt(1)) ? null : ByteBuffer.wrap(row.getBytes(2));
        }
    }

    private void pause(long nanos) {
        if (!closed) {
            LockSupport.parkNanos(this, nanos);
            // A callback may have left an interrupt behind, which would make every later pause return immediately.
            Thread.interrupted();
        }
    }

    /**
     * Waits for the thread to end. The last connection that closes cleans up the log and must be able to write; this
     * one cannot.
     */
    @Override
    public void close() {
        closed = true;
        Thread ending;
        synchronized (this) {
            ending = thread;
        }
        if (ending == null || ending == Thread.currentThread()) {
            return;
        }
        LockSupport.unpark(ending);
        try {
            ending.join(CLOSE_TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
