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
 * Sees what other processes free, for those in this one who wait.
 *
 * <p>SQLite tells nobody of a commit, but it is cheap to ask a connection whether others have committed since it was last
 * asked. One thread with a connection of its own does so every few milliseconds, while anybody waits; and only if there
 * was a commit it reads the keys that are waited for, and wakes those who wait for one that is not held. So commits that
 * concern nobody here cost a short read, not a try.
 *
 * <p>The thread begins when somebody waits and ends some time after the last one left. The worst that trouble does is to
 * leave those who wait to look again by themselves.
 *
 * <p>It waits in real time, not in that of {@link dev.holdfast.store.HostEnvironment}: what it waits for are other processes.
 */
final class ReleaseWatch implements AutoCloseable {
    static final String THREAD = "holdfast-sqlite-watch";

    static final String CHANGES = "PRAGMA data_version";
    static final String LOOK = "SELECT state, version FROM entry WHERE namespace = ?1 AND name = ?2";

    /** Half of it is what a hand-over takes on average. A look without news takes some microseconds. */
    private static final long PAUSE_NANOS = 5_000_000;
    /** Where nothing was written for a second, the holder is not quick, and those who wait may be many. */
    private static final long QUIET_PAUSE_NANOS = 25_000_000;

    private static final int QUIET_LOOKS = 200;
    private static final long TROUBLE_PAUSE_NANOS = 250_000_000;
    /** Keys of one look; the rest have their turn in the next. */
    private static final int LOOK_LIMIT = 500;
    /** Whoever waits now and then does not pay for a new thread and connection each time. */
    static final Duration LINGER = Duration.ofSeconds(2);

    private static final long CLOSE_PATIENCE_MILLIS = 1_000;

    private final ConnectionLoan.Opening opening;
    private final Duration linger;
    private final SqliteWakers sqliteWakers = new SqliteWakers();
    private @Nullable Thread thread;
    private volatile boolean closed;

    ReleaseWatch(ConnectionLoan.Opening opening, Duration linger) {
        this.opening = opening;
        this.linger = linger;
    }

    /** Returns at once, and what ends it. */
    Runnable onFreed(Key key, Runnable wake) {
        Runnable remove = sqliteWakers.add(key, wake);
        start();
        return remove;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            Thread started = new Thread(this::run, THREAD);
            started.setDaemon(true);
            // Where the system has no thread left this throws, and the next that waits tries again.
            started.start();
            thread = started;
        }
    }

    /** Whether there is a thread. */
    synchronized boolean isWatching() {
        return thread != null;
    }

    /** Whether the thread may go: nobody waits, and whoever comes now starts a new one. */
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
                // What was written before cannot be told from what was not: all is to be looked at.
                sqliteWakers.changed();
                serve(sqliteSession);
            } catch (Throwable e) {
                pause(TROUBLE_PAUSE_NANOS);
            }
        } while (!isOver());
    }

    /** Until nobody has waited for a while. */
    private void serve(SqliteSession sqliteSession) throws SQLException {
        long changes = sqliteSession.number(CHANGES);
        long lingerNanos = TimeUnit.NANOSECONDS.convert(linger);
        long lastWanted = System.nanoTime();
        int quiet = 0;
        while (!closed) {
            long now = System.nanoTime();
            if (sqliteWakers.isEmpty()) {
                if (now - lastWanted > lingerNanos) {
                    return;
                }
                quiet = 0;
            } else {
                lastWanted = now;
                long latest = sqliteSession.number(CHANGES);
                if (latest != changes) {
                    sqliteWakers.changed();
                    changes = latest;
                }
                quiet = look(sqliteSession) ? 0 : quiet + 1;
            }
            pause(quiet < QUIET_LOOKS ? PAUSE_NANOS : QUIET_PAUSE_NANOS);
        }
    }

    /** Returns whether there was a key to look at. */
    private boolean look(SqliteSession sqliteSession) throws SQLException {
        List<Wish> due = sqliteWakers.due(LOOK_LIMIT);
        for (Wish wish : due) {
            Object found = notHeld(sqliteSession, wish.key);
            if (found != null) {
                wish.wakeFor(found);
            }
        }
        return !due.isEmpty();
    }

    /** The version of an entry that is not held; null for one that is. */
    private static @Nullable Object notHeld(SqliteSession sqliteSession, Key key) throws SQLException {
        PreparedStatement look = sqliteSession.prepared(LOOK);
        SqliteRows.bindKey(look, key);
        try (ResultSet row = look.executeQuery()) {
            if (!row.next()) {
                return "none";
            }
            return SqliteRows.isHeld(row.getInt(1)) ? null : ByteBuffer.wrap(row.getBytes(2));
        }
    }

    private void pause(long nanos) {
        if (!closed) {
            LockSupport.parkNanos(this, nanos);
            // Left behind by a callback, perhaps; no pause would be one.
            Thread.interrupted();
        }
    }

    /** Lets the thread end, so that its connection is not the last one: that one clears up, and must be able to write. */
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
            ending.join(CLOSE_PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
