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
 * Hears of releases by others, for those in this process who wait.
 *
 * <p>{@code NOTIFY} makes commits queue up, so nobody pays for it unless somebody waits. Whoever waits marks the row as
 * wanted for the next minute, and marks it again before that is over; a write that frees a wanted row notifies. The mark
 * is outside of version and beat, so it disturbs nobody's compare-and-set.
 *
 * <p>One thread and one connection listen and mark, in that order, so that nothing falls in between: a key that is found
 * not held when it is to be marked wakes at once. Both begin when somebody waits, and end some time after the last one
 * left. A lost connection is replaced; then all are woken, as nobody knows what was missed. The worst that trouble
 * does here is to leave those who wait to look again by themselves.
 *
 * <p>It waits in real time, not in that of {@link dev.holdfast.store.HostEnvironment}: what it waits for are other processes.
 */
final class ReleaseListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

    /** How long a new wish waits to be marked, at most; notifications themselves come without delay. */
    private static final int SLICE_MILLIS = 50;
    /** How long a mark is good for: after the last who waited has left, releases notify in vain for so long. */
    private static final Duration MARK = Duration.ofSeconds(60);
    /** Also how soon a connection that died without a word is found out. */
    private static final Duration MARK_AGAIN = Duration.ofSeconds(20);
    /** A key that was not held is perhaps about to be: somebody who waits for it was just woken. */
    private static final Duration NOT_HELD = Duration.ofMillis(500);

    private static final Duration LINGER = Duration.ofSeconds(30);
    /** Keys of one statement. */
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
     * A row that somebody is writing now is skipped, not waited for: it is looked at again in the next slice. Rows that
     * another process has marked already are left alone, unless the mark runs out soon.
     */
    static String markSql(PostgresSchema postgresSchema) {
        String interval = " interval '" + MARK.toMillis() + " ms'";
        String enough = "e.wanted > clock_timestamp() +" + interval + " / 2";
        String keys = "unnest(?::text[], ?::text[]) WITH ORDINALITY AS c (namespace, name, i)";
        return "WITH held AS MATERIALIZED (SELECT c.i, e.place FROM " + keys
                + " CROSS JOIN LATERAL (SELECT e.ctid AS place FROM " + postgresSchema.entry() + " e WHERE "
                + BatchStatements.SAME_KEY
                // Not "state = ...": the planner would look for it in an index.
                + " AND e.state || '' = 'HELD' AND (" + enough + ") IS NOT TRUE FOR UPDATE SKIP LOCKED) e)"
                + ", marked AS (UPDATE " + postgresSchema.entry() + " e SET wanted = clock_timestamp() +" + interval
                + " FROM held c WHERE e.ctid = c.place RETURNING c.i)"
                + " SELECT c.i, coalesce(e.state = 'HELD', false),"
                + " coalesce(" + enough + ", false) OR c.i IN (SELECT i FROM marked) FROM " + keys
                + " LEFT JOIN LATERAL (SELECT e.state, e.wanted FROM " + postgresSchema.entry() + " e WHERE "
                + BatchStatements.SAME_KEY + " OFFSET 0) e ON true";
    }

    /** Returns at once; what there is to do is done by the thread. */
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

    /** Whether the thread may go: nobody waits, and whoever comes now starts a new one. */
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

    /** Until nobody has waited for a while. */
    private void serve(Connection connection) throws SQLException {
        PGConnection notifying = connection.unwrap(PGConnection.class);
        long lastWanted = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (!postgresWakers.isEmpty()) {
                lastWanted = now;
            } else if (now - lastWanted > LINGER.toNanos()) {
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
            closed = true; // Nobody but us has this thread; whoever interrupts it wants it to end.
        }
    }

    /** The thread ends by itself within a slice. */
    @Override
    public void close() {
        closed = true;
    }
}
