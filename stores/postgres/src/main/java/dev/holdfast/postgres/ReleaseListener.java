package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import dev.holdfast.environment.OnDemandThread;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.ChangeNotifier.Registration;
import dev.holdfast.support.WakeUpRegistry;
import dev.holdfast.support.WakeUpRegistry.WaitedKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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
 */
final class ReleaseListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

    /** The longest time until a new key is marked. Notifications themselves arrive without delay. A slice sends nothing. */
    private static final int SLICE_MILLIS = 5;
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

    private final PostgresConnections connections;
    private final WakeUpRegistry<String> wakeUps = new WakeUpRegistry<>(ReleaseListener::payload);
    private final OnDemandThread thread =
            new OnDemandThread("holdfast-postgres-listener", LINGER, () -> !wakeUps.isEmpty(), this::run);
    private final String channel;
    private final String markSql;
    /** Failed attempts since the last success; only the thread accesses it. */
    private int failures;

    ReleaseListener(PostgresConnections connections, PostgresSchema schema) {
        this.connections = connections;
        this.channel = schema.channel();
        this.markSql = markSql(schema);
    }

    /**
     * Statement that marks held rows as wanted. It skips rows that another transaction is writing, and the next slice
     * tries them again. It also skips rows that another process has marked, unless the mark ends soon.
     */
    static String markSql(PostgresSchema schema) {
        String interval = " interval '" + MARK.toMillis() + " ms'";
        String enough = "e.wanted > clock_timestamp() +" + interval + " / 2";
        String keys = "unnest(?::text[], ?::text[]) WITH ORDINALITY AS c (namespace, name, i)";
        return "WITH held AS MATERIALIZED (SELECT c.i, e.place FROM " + keys
                + " CROSS JOIN LATERAL (SELECT e.ctid AS place FROM " + schema.entry() + " e WHERE "
                + BatchStatements.SAME_KEY
                // Not "state = ...", because the planner would use an index on the state.
                + " AND e.state || '' = 'HELD' AND (" + enough + ") IS NOT TRUE FOR UPDATE SKIP LOCKED) e)"
                + ", marked AS (UPDATE " + schema.entry() + " e SET wanted = clock_timestamp() +" + interval
                + " FROM held c WHERE e.ctid = c.place RETURNING c.i)"
                + " SELECT c.i, coalesce(e.state = 'HELD', false),"
                + " coalesce(" + enough + ", false) OR c.i IN (SELECT i FROM marked) FROM " + keys
                + " LEFT JOIN LATERAL (SELECT e.state, e.wanted FROM " + schema.entry() + " e WHERE "
                + BatchStatements.SAME_KEY + " OFFSET 0) e ON true";
    }

    /** Registers {@code wake} without blocking, because the thread does the work. */
    Registration onFreed(Key key, ChangeNotifier.WakeUp wake) {
        Registration registration = wakeUps.add(key, wake, System.nanoTime());
        thread.start();
        return registration;
    }

    private void run() {
        try (Connection connection = connections.openListener()) {
            listen(connection);
            if (failures > 0) {
                wakeUps.wakeAll();
                failures = 0;
            }
            serve(connection);
        } catch (SQLException e) {
            log.debug("PostgreSQL: not listening for releases; trying again", e);
            long most = Math.min(BACKOFF_LIMIT_MILLIS, BACKOFF_MILLIS << Math.min(failures++, 10));
            long millis = most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
            thread.pause(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SessionSettings.initSql(connections.url()));
            statement.execute("LISTEN \"" + channel + '"');
        }
    }

    /** Marks keys and receives notifications while a client waits. */
    private void serve(Connection connection) throws SQLException {
        PGConnection notifying = connection.unwrap(PGConnection.class);
        while (thread.continues()) {
            List<WaitedKey> due = wakeUps.due(System.nanoTime(), MARK_LIMIT);
            if (!due.isEmpty()) {
                mark(connection, due);
            }
            for (PGNotification freed : notifying.getNotifications(SLICE_MILLIS)) {
                wakeUps.wake(freed.getParameter(), null);
            }
        }
    }

    private void mark(Connection connection, List<WaitedKey> due) throws SQLException {
        List<Key> keys = due.stream().map(WaitedKey::key).toList();
        try (PreparedStatement statement = connection.prepareStatement(markSql)) {
            new BinaryArrayCodec.StatementParameters(statement).keys(keys).keys(keys);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    marked(due.get(rows.getInt(1) - 1), rows.getBoolean(2), rows.getBoolean(3));
                }
            }
        }
    }

    private static void marked(WaitedKey waited, boolean held, boolean marked) {
        long now = System.nanoTime();
        if (!held) {
            waited.dueAt(now + NOT_HELD.toNanos());
            waited.wake(null);
        } else if (marked) {
            waited.dueAt(now + MARK_AGAIN.toNanos());
        }
    }

    /** Returns the same payload that {@link BatchStatements} computes in the database. */
    static String payload(Key key) {
        String text = key.namespace().codePointCount(0, key.namespace().length()) + ":" + key.namespace() + key.name();
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The thread ends by itself within a slice. */
    @Override
    public void close() {
        thread.close();
    }
}
