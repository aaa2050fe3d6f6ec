package dev.holdfast.postgres;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Server settings that all statements rely on.
 *
 * <p>A direct connection is set up once, by {@link #initSql}. Behind a connection pooler, each transaction may run in
 * another session of the server, shared with other programs. There, the settings precede every statement in the same
 * round trip, and end with its transaction.
 */
final class SessionSettings {
    private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";
    private static final String LOCK_TIMEOUT = "lock_timeout";

    /**
     * The part of the timeout that a statement waits for a lock. Holdfast's own writers hold a row only as long as a
     * commit takes. A row locked for longer belongs to another program, and is left out of its batch: see {@link
     * LockedRows}. The rest of the timeout is for that.
     */
    private static final int LOCK_WAIT_DIVISOR = 5;

    /** How long a statement waits for a row that will probably stay locked. */
    private static final Duration BRIEF_LOCK_WAIT = Duration.ofMillis(20);

    private final Map<String, String> ofTransaction;
    private final String prefix;

    private SessionSettings(Map<String, String> ofTransaction) {
        this.ofTransaction = ofTransaction;
        this.prefix = ofTransaction.isEmpty()
                ? ""
                : ofTransaction.entrySet().stream()
                        .map(setting -> local(setting.getKey(), setting.getValue()))
                        .collect(joining(", ", "SELECT ", "; "));
    }

    /** Settings for connections that run {@link #initSql} when they are opened, and keep its settings. */
    static SessionSettings ofConnections() {
        return new SessionSettings(Map.of());
    }

    /**
     * Settings for connections that keep nothing from one transaction to the next.
     *
     * @param known the settings that this server has
     */
    static SessionSettings ofTransactions(PostgresUrl url, Set<String> known) {
        Map<String, String> settings = all(url);
        settings.keySet().retainAll(known);
        return new SessionSettings(settings);
    }

    /** Returns the same settings with a short lock timeout. */
    SessionSettings withBriefLockWait() {
        Map<String, String> settings = new LinkedHashMap<>(ofTransaction);
        settings.put(LOCK_TIMEOUT, millis(BRIEF_LOCK_WAIT));
        return new SessionSettings(settings);
    }

    static Set<String> names(PostgresUrl url) {
        return all(url).keySet();
    }

    /** Returns SQL that sets, for the session, all settings that this server has. */
    static String initSql(PostgresUrl url) {
        String values = all(url).entrySet().stream()
                .map(setting -> "('" + setting.getKey() + "', '" + setting.getValue() + "')")
                .collect(joining(", "));
        return "SELECT set_config(s.name, v.setting, false) FROM (VALUES " + values + ") AS v (name, setting)"
                + " JOIN pg_settings s ON s.name = v.name"
                + " WHERE s.name <> '" + SYNCHRONOUS_COMMIT + "' OR s.setting = 'off'";
    }

    private static Map<String, String> all(PostgresUrl url) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("statement_timeout", millis(url.timeout()));
        settings.put(LOCK_TIMEOUT, millis(url.timeout().dividedBy(LOCK_WAIT_DIVISOR)));
        // From version 14: a server that loses the client during a statement aborts it and releases its locks.
        settings.put("client_connection_check_interval", "1s");
        // Each statement relies on a new snapshot. Too late for a transaction that has begun: see PostgresServerProbe.
        settings.put("default_transaction_isolation", "read committed");
        // Acknowledged writes are on disk. Only "off" is overridden; "remote_apply", for example, stays.
        settings.put(SYNCHRONOUS_COMMIT, "on");
        // Every statement has one good plan, independent of statistics: by the index, from key to key.
        settings.put("plan_cache_mode", "force_generic_plan");
        settings.put("enable_seqscan", "off");
        settings.put("enable_bitmapscan", "off");
        settings.put("enable_hashjoin", "off");
        settings.put("enable_mergejoin", "off");
        settings.put("enable_sort", "off");
        settings.put("enable_memoize", "off");
        settings.put("max_parallel_workers_per_gather", "0");
        settings.put("jit", "off");
        return settings;
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + "ms";
    }

    private static String local(String name, String value) {
        String set = "set_config('" + name + "', '" + value + "', true)";
        return name.equals(SYNCHRONOUS_COMMIT)
                ? "CASE current_setting('" + name + "') WHEN 'off' THEN " + set + " END"
                : set;
    }

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(prefix.isEmpty() ? sql : prefix + sql);
    }

    /** Runs a statement of {@link #prepare}. Returns its first result, after the result of the settings. */
    ResultSet run(PreparedStatement statement) throws SQLException {
        statement.execute();
        if (!prefix.isEmpty()) {
            statement.getMoreResults();
        }
        return statement.getResultSet();
    }
}
