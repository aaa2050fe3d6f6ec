package dev.holdfast.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.spi.StoreException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.postgresql.PGProperty;
import org.postgresql.core.Oid;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections to the primary: a pool of them for calls, and single ones for what takes long. */
final class Connections implements AutoCloseable {
    /** The server gives up first, as it can tell what became of the transaction; the socket is for when it cannot. */
    private static final Duration SOCKET_MARGIN = Duration.ofSeconds(3);

    /** The longest that a call can take: waiting for a connection, and then for its answer. */
    static Duration longestCall(PostgresUrl url) {
        return url.timeout().multipliedBy(2).plus(SOCKET_MARGIN);
    }

    private final PostgresUrl url;
    private final PGSimpleDataSource source;
    private final HikariDataSource pool;

    Connections(PostgresUrl url) {
        this.url = url;
        this.source = source(url);
        // The pool gives its source a login time-out, and the driver then connects on a thread of its own.
        this.pool = new HikariDataSource(poolOf(url, source(url)));
    }

    static PGSimpleDataSource source(PostgresUrl url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL("jdbc:postgresql://" + url.hosts() + "/"
                + URLEncoder.encode(url.database(), StandardCharsets.UTF_8).replace("+", "%20"));
        source.setUser(url.user());
        source.setPassword(url.password());
        set(source, PGProperty.APPLICATION_NAME, "holdfast");
        set(source, PGProperty.TARGET_SERVER_TYPE, "primary");
        set(source, PGProperty.TCP_KEEP_ALIVE, "true");
        set(source, PGProperty.CONNECT_TIMEOUT, seconds(url.timeout()));
        set(source, PGProperty.SOCKET_TIMEOUT, seconds(url.timeout().plus(SOCKET_MARGIN)));
        // The few statements that there are run all the time.
        set(source, PGProperty.PREPARE_THRESHOLD, "1");
        // What BinaryArray relies on, beyond what the driver does by itself.
        set(source, PGProperty.BINARY_TRANSFER_ENABLE, Oid.UUID_ARRAY + "," + Oid.TIMESTAMPTZ_ARRAY);
        // An error must not tell what was in the row: a token, for one.
        set(source, PGProperty.LOG_SERVER_ERROR_DETAIL, "false");
        url.driver().forEach((name, value) -> {
            try {
                source.setProperty(name, value);
            } catch (SQLException e) {
                throw new IllegalArgumentException(name + ": (expected: what the driver understands)", e);
            }
        });
        return source;
    }

    private static void set(PGSimpleDataSource source, PGProperty property, String value) {
        source.setProperty(property, value);
    }

    private static String seconds(Duration duration) {
        return String.valueOf(Math.max(1, duration.toSeconds()));
    }

    private static HikariConfig poolOf(PostgresUrl url, PGSimpleDataSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("holdfast-postgres");
        config.setDataSource(source);
        config.setMaximumPoolSize(url.pool());
        config.setMinimumIdle(1);
        config.setAutoCommit(true);
        config.setConnectionTimeout(Math.max(250, url.timeout().toMillis())); // no less than what Hikari takes
        config.setValidationTimeout(Math.max(250, Math.min(5000, url.timeout().toMillis())));
        config.setConnectionInitSql(settings(url));
        // Whether the database can be reached is found out, and said in our words, when the schema is looked at.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** Sets, for the session, what this server knows of these. */
    static String settings(PostgresUrl url) {
        long timeout = url.timeout().toMillis();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("statement_timeout", timeout + "ms");
        // Whoever holds a row longer than this is not one of us; the rest of the lane should not wait for it.
        settings.put("lock_timeout", timeout / 2 + "ms");
        // From version 14: a server that lost us in the middle of a statement gives up, and its locks with it.
        settings.put("client_connection_check_interval", "1s");
        // Each statement relies on a new snapshot.
        settings.put("default_transaction_isolation", "read committed");
        // What is acknowledged is on disk. Only "off" is overruled: "remote_apply", for one, stays.
        settings.put("synchronous_commit", "on");
        // Every statement here has one good plan, whatever the statistics say: by the index, from key to key.
        settings.put("plan_cache_mode", "force_generic_plan");
        settings.put("enable_seqscan", "off");
        settings.put("enable_bitmapscan", "off");
        settings.put("enable_hashjoin", "off");
        settings.put("enable_mergejoin", "off");
        settings.put("enable_sort", "off");
        settings.put("enable_memoize", "off");
        settings.put("max_parallel_workers_per_gather", "0");
        settings.put("jit", "off");
        String values = settings.entrySet().stream()
                .map(setting -> "('" + setting.getKey() + "', '" + setting.getValue() + "')")
                .collect(Collectors.joining(", "));
        return "SELECT set_config(s.name, v.setting, false) FROM (VALUES " + values + ") AS v (name, setting)"
                + " JOIN pg_settings s ON s.name = v.name"
                + " WHERE s.name <> 'synchronous_commit' OR s.setting = 'off'";
    }

    /** One of the pool. Calls of a store cannot be interrupted; whoever was keeps that to itself until later. */
    Connection borrow() {
        boolean interrupted = Thread.interrupted();
        try {
            return pool.getConnection();
        } catch (SQLException e) {
            throw pool.isClosed()
                    ? StoreException.rejected("PostgreSQL: the store is closed", e)
                    : PostgresErrors.connecting(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Never lends this one again: the server at its other end is not the one to talk to. */
    void evict(Connection connection) {
        pool.evictConnection(connection);
    }

    /** A new one, outside of the pool. */
    Connection open() throws SQLException {
        return source.getConnection();
    }

    PostgresUrl url() {
        return url;
    }

    @Override
    public void close() {
        pool.close();
    }
}
