package dev.holdfast.postgres;

import dev.holdfast.Key;
import dev.holdfast.postgres.PostgresWakers.Wish;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listener for keys released by other processes, which wakes the clients of this process that wait for them.
 *
 * <p>{@code NOTIFY} serializes commits, so a write sends one only if a client waits. A waiting client marks the row as
 * wanted for the next minute, and renews the mark before it ends. A write that releases a wanted row sends a
 * notification. The mark is not part of version or beat, so it disturbs no compare-and-set.
 *
 * <p>One thread with one connection listens first and marks afterwards, so it misses no release. If a key is not held
 * when it is to be marked, its clients are woken immediately. The thread starts with the first waiting client and ends
 * some time after the last one left. A lost connection is replaced, and then all clients are woken, because
 * notifications may have been missed. If this listener fails, waiting clients still retry by themselves.
 *
 * <p>It waits in real time, not in the time of {@link dev.holdfast.store.HostEnvironment}, because it waits for other
 * processes.
 */
final class ReleaseListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

    /** The longest time until a new key is marked. Notifications themselves arrive without delay. */
    private static final int SLICE_MILLIS = 50;
    /** How long a mark is valid. After the last waiting client left, releases notify in vain for this long. */
    private static final Duration MARK = Duration.ofSeconds(60);
    /** Also the time within which a connection that died silently is detected. */
    private static final Duration MARK_AGAIN = Duration.ofSeconds(20);
    /** A key that was not held will probably be held soon, because a client that waits for it was just woken. */
    private static final Duration NOT_HELD = Duration.ofMillis(500);

    private static final Duration LINGER = Duration.ofSeconds(30);
    /** The most keys of one statement. */
    private static final int MARK_LIMIT = 500;

    private static final long BACKOFF_MILLIS = 100;
    private static final long BACKOFF_LIMIT_MILLIS = 5_000;

    private final PostgresConnections postgresConnections;
    private final PostgresWakers postgresWakers = new PostgresWakers();
    private final String channel;
    private final String markSql;

    private @Nullable Thread thread;
    private volatile boolean closed;

    ReleaseListener(PostgresConnections postgresConnections, PostgresSchema postgresSchema) {
        this.postgresConnections = postgresConnections;
        this.channel = postgresSchema.channel();
        this.markSql = markSql(postgresSchema);
    }

    /**
     * Statement that marks held rows as wanted. It skips rows that another transaction is writing, and the next slice
     * tries them again. It also skips rows that another process has marked, unless the mark ends soon.
     */
    static String markSql(PostgresSchema postgresSchema) {
        String interval = " interval '" + MARK.toMillis() + " ms'";
        String enough = "e.wanted > clock_timestamp() +" + interval + " / 2";
        String keys = "unnest(?::text[], ?::text[]) WITH ORDINALITY AS c (namespace, name, i)";
        return "WITH held AS MATERIALIZED (SELECT c.i, e.place FROM " + keys
                + " CROSS JOIN LATERAL (SELECT e.ctid AS place FROM " + postgresSchema.entry() + " e WHERE "
                + BatchStatements.SAME_KEY
                // Not "state = ...", because the planner would use an index on the state.
                + " AND e.state || '' = 'HELD' AND (" + enough + ") IS NOT TRUE FOR UPDATE SKIP LOCKED) e)"
                + ", marked AS (UPDATE " + postgresSchema.entry() + " e SET wanted = clock_timestamp() +" + interval
                + " FROM held c WHERE e.ctid = c.place RETURNING c.i)"
                + " SELECT c.i, coalesce(e.state = 'HELD', false),"
                + " coalesce(" + enough + ", false) OR c.i IN (SELECT i FROM marked) FROM " + keys
                + " LEFT JOIN LATERAL (SELECT e.state, e.wanted FROM " + postgresSchema.entry() + " e WHERE "
                + BatchStatements.SAME_KEY + " OFFSET 0) e ON true";
    }

    /**
     * Registers {@code wake} without blocking, because the thread does the work. Returns a callback that removes it.
     */
    Runnable onFreed(Key key, Runnable wake) {
        Runnable remove = postgresWakers.add(key, wake, System.nanoTime());
        start();
        return remove;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, "holdfast-postgres-listener");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Returns whether the thread may end, because no client waits. The next waiting client then starts a new thread.
     */
    private synchronized boolean end() {
        if (!closed && !postgresWakers.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }

    private void run() {
        int failures = 0;
        do {
            try (Connection connection = postgresConnections.open()) {
                listen(connection);
                if (failures > 0) {
                    postgresWakers.wakeAll();
                    failures = 0;
                }
                serve(connection);
            } catch (SQLException e) {
                log.debug("PostgreSQL: not listening for releases; trying again", e);
                pause(failures++);
            }
        } while (!end());
    }

    private void listen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SessionSettings.initSql(postgresConnections.url()));
            statement.execute("LISTEN \"" + channel + '"');
        }
    }

    /** Marks keys and receives notifications until no client has waited for the linger time. */
    private void serve(Connection connection) throws SQLException {
        PGConnection notifying = connection.unwrap(PGConnection.class);
        long lastWaiterNanos = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (!postgresWakers.isEmpty()) {
                lastWaiterNanos = now;
            } else if (now - lastWaiterNanos > LINGER.toNanos()) {
                return;
            }
            List<Map.Entry<Key, Wish>> due = postgresWakers.due(now, MARK_LIMIT);
            if (!due.isEmpty()) {
                mark(connection, due);
            }
            for (PGNotification freed : notifying.getNotifications(SLICE_MILLIS)) {
                postgresWakers.wake(freed.getParameter());
            }
        }
    }

    private void mark(Connection connection, List<Map.Entry<Key, Wish>> due) throws SQLException {
        List<Key> keys = due.stream().map(Map.Entry::getKey).toList();
        try (PreparedStatement statement = connection.prepareStatement(markSql)) {
            new StatementParameters(statement).keys(keys).keys(keys);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    marked(due.get(rows.getInt(1) - 1), rows.getBoolean(2), rows.getBoolean(3));
                }
            }
        }
    }

    private void marked(Map.Entry<Key, Wish> wish, boolean held, boolean marked) {
        long now = System.nanoTime();
        if (!held) {
            wish.getValue().dueNanos = now + NOT_HELD.toNanos();
            postgresWakers.wake(wish.getKey());
        } else if (marked) {
            wish.getValue().dueNanos = now + MARK_AGAIN.toNanos();
        }
    }

    private void pause(int failures) {
        long most = Math.min(BACKOFF_LIMIT_MILLIS, BACKOFF_MILLIS << Math.min(failures, 10));
        long millis = most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
        try {
            for (long left = millis; left > 0 && !closed; left -= SLICE_MILLIS) {
                TimeUnit.MILLISECONDS.sleep(Math.min(left, SLICE_MILLIS));
            }
        } catch (InterruptedException e) {
            closed = true; // An interrupt means that the thread should end; only this class owns it.
        }
    }

    /** The thread ends by itself within a slice. */
    @Override
    public void close() {
        closed = true;
    }
}
