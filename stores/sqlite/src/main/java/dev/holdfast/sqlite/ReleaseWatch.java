package dev.holdfast.sqlite;

import dev.holdfast.Key;
import dev.holdfast.environment.OnDemandThread;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.ChangeNotifier.Registration;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.WakeUpRegistry;
import dev.holdfast.support.WakeUpRegistry.WaitedKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

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
 */
final class ReleaseWatch implements AutoCloseable {
    static final String THREAD = "holdfast-sqlite-watch";

    static final String CHANGES = "PRAGMA data_version";
    static final String READ_STATE = "SELECT state FROM entry WHERE namespace = ?1 AND name = ?2";

    /**
     * The pause between two checks is this part of the time since the last commit: half a millisecond at first, and ten
     * after a second. A check that finds no commit takes some microseconds.
     */
    private static final int PAUSE_DIVISOR = 100;

    private static final long SHORTEST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 25_000_000;
    /** While no client waits. */
    private static final long IDLE_PAUSE_NANOS = 5_000_000;

    private static final long ERROR_PAUSE_NANOS = 250_000_000;
    /** The most keys read in one check; the rest are read in the next one. */
    private static final int KEYS_PER_CHECK = 500;

    static final Duration LINGER = Duration.ofSeconds(2);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    /** Practically for ever: a key that was read is read again only after a commit. */
    private static final long NEVER_NANOS = Long.MAX_VALUE / 2;

    private final ConnectionLoan.SessionOpener opening;
    private final WakeUpRegistry<Key> wakeUps = new WakeUpRegistry<>(key -> key);
    private final OnDemandThread thread;

    ReleaseWatch(ConnectionLoan.SessionOpener opening, Duration linger) {
        this.opening = opening;
        this.thread = new OnDemandThread(THREAD, linger, () -> !wakeUps.isEmpty(), this::run);
    }

    /** Registers {@code wake} without blocking. */
    Registration onFreed(Key key, ChangeNotifier.WakeUp wake) {
        Registration registration = wakeUps.add(key, wake, System.nanoTime());
        thread.start();
        return registration;
    }

    boolean isWatching() {
        return thread.isRunning();
    }

    @SuppressWarnings("IllegalCatch") // Even after an error of the driver, waiting clients must be woken again.
    private void run() {
        try (SqliteSession session = opening.open()) {
            // Commits before this connection cannot be detected, so all keys must be read.
            wakeUps.allDueAt(System.nanoTime());
            serve(session);
        } catch (Throwable e) {
            thread.pause(ERROR_PAUSE_NANOS);
        }
    }

    /** Checks for commits while a client waits. */
    private void serve(SqliteSession session) throws SQLException {
        long changes = session.number(CHANGES);
        long busyNanos = System.nanoTime();
        while (thread.continues()) {
            if (wakeUps.isEmpty()) {
                busyNanos = System.nanoTime();
                thread.pause(IDLE_PAUSE_NANOS);
                continue;
            }
            long latest = session.number(CHANGES);
            if (latest != changes) {
                wakeUps.allDueAt(System.nanoTime());
                changes = latest;
            }
            if (readDueKeys(session)) {
                busyNanos = System.nanoTime();
            }
            thread.pause(pauseNanos(System.nanoTime() - busyNanos));
        }
    }

    /** @param quietNanos the time since the last commit, or since the first client waits */
    static long pauseNanos(long quietNanos) {
        return Math.max(SHORTEST_PAUSE_NANOS, Math.min(LONGEST_PAUSE_NANOS, quietNanos / PAUSE_DIVISOR));
    }

    /** Returns whether there was a key to read. */
    private boolean readDueKeys(SqliteSession session) throws SQLException {
        long now = System.nanoTime();
        List<WaitedKey> due = wakeUps.due(now, KEYS_PER_CHECK);
        for (WaitedKey waited : due) {
            waited.dueAt(now + NEVER_NANOS);
            if (!isHeld(session, waited.key())) {
                StoredEntry found = SqliteRows.read(session, waited.key(), null);
                waited.wakeOnceFor(found == null ? null : found.entry());
            }
        }
        return !due.isEmpty();
    }

    private static boolean isHeld(SqliteSession session, Key key) throws SQLException {
        PreparedStatement select = session.prepared(READ_STATE);
        SqliteRows.bindKey(select, key);
        try (ResultSet row = select.executeQuery()) {
            return row.next() && SqliteRows.isHeld(row.getInt(1));
        }
    }

    /**
     * Waits for the thread to end. The last connection that closes cleans up the log and must be able to write; this
     * one cannot.
     */
    @Override
    public void close() {
        thread.close(CLOSE_TIMEOUT);
    }
}
