package dev.holdfast.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.StoreException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.core.Oid;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to the primary: a pool for calls, and single connections for long work.
 *
 * <p>The first connection probes the server, serves to inspect the schema, and then becomes the first of the pool. So a
 * command that does one thing opens only one connection.
 */
final class PostgresConnections implements AutoCloseable {
    /**
     * The server times out first, because it can report the outcome of the transaction. The socket timeout is the
     * fallback.
     */
    private static final Duration SOCKET_MARGIN = Duration.ofSeconds(3);

    /** There are few statements, and they run all the time. */
    private static final int PREPARE_IMMEDIATELY = 1;

    private static final int PREPARE_NEVER = 0;

    private final PostgresUrl url;
    private final PoolSource source = new PoolSource();
    private final HikariDataSource pool;
    private final Connection first;
    private final boolean pooled;
    private final SessionSettings settings;

    /**
     * Connects, and probes the server.
     *
     * @throws StoreException if Holdfast cannot work with this server
     */
    PostgresConnections(PostgresUrl url) throws SQLException {
        this.url = url;
        // Opens nothing yet. It comes first because the class-data archive of the command is created without a
        // database.
        this.pool = new HikariDataSource(poolOf(url, source));
        boolean usable = false;
        try {
            this.first = single(url);
            source.first.set(first);
            PostgresServerProbe probe = PostgresServerProbe.of(first);
            this.pooled = url.pooled() == null ? probe.behindPooler() : url.pooled();
            probe.check(pooled);
            this.settings = pooled
                    ? SessionSettings.ofTransactions(url, PostgresServerProbe.known(first, SessionSettings.names(url)))
                    : SessionSettings.ofConnections();
            first.unwrap(PGConnection.class).setPrepareThreshold(threshold(url, pooled));
            configure(source, url, threshold(url, pooled));
            source.initSql = pooled ? null : SessionSettings.initSql(url);
            usable = true;
        } finally {
            if (!usable) {
                close();
            }
        }
    }

    /** Returns the longest that a call can take: the wait for a connection plus the wait for the response. */
    static Duration longestCall(PostgresUrl url) {
        return url.timeout().multipliedBy(2).plus(SOCKET_MARGIN);
    }

    /** Opens a connection that prepares nothing, so that it works with any server or pooler. */
    static Connection single(PostgresUrl url) throws SQLException {
        return source(url, PREPARE_NEVER).getConnection();
    }

    /**
     * Opens such a connection without a timeout, for statements that may take long, such as an upgrade of the tables.
     */
    static Connection withoutTimeout(PostgresUrl url) throws SQLException {
        PGSimpleDataSource source = source(url, PREPARE_NEVER);
        source.setProperty(PGProperty.SOCKET_TIMEOUT, "0");
        return source.getConnection();
    }

    /** Opens a new connection outside of the pool, to listen for notifications. */
    Connection openListener() throws SQLException {
        PGSimpleDataSource source = source(url, threshold(url, pooled));
        if (ListenerSocketFactory.isVisibleToDriver()) {
            source.setProperty(PGProperty.SOCKET_FACTORY, ListenerSocketFactory.class.getName());
        }
        return source.getConnection();
    }

    private static PGSimpleDataSource source(PostgresUrl url, int prepareThreshold) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        configure(source, url, prepareThreshold);
        return source;
    }

    private static int threshold(PostgresUrl url, boolean pooled) {
        String given = url.driver().get(PGProperty.PREPARE_THRESHOLD.getName());
        return given != null ? Integer.parseInt(given) : pooled ? PREPARE_NEVER : PREPARE_IMMEDIATELY;
    }

    private static void configure(PGSimpleDataSource source, PostgresUrl url, int prepareThreshold) {
        source.setURL("jdbc:postgresql://" + url.hosts() + "/"
                + URLEncoder.encode(url.database(), StandardCharsets.UTF_8).replace("+", "%20"));
        source.setUser(url.user());
        source.setPassword(url.password());
        source.setProperty(PGProperty.APPLICATION_NAME, "holdfast");
        source.setProperty(PGProperty.TARGET_SERVER_TYPE, "primary");
        source.setProperty(PGProperty.TCP_KEEP_ALIVE, "true");
        source.setProperty(PGProperty.CONNECT_TIMEOUT, seconds(url.timeout()));
        source.setProperty(PGProperty.SOCKET_TIMEOUT, seconds(url.timeout().plus(SOCKET_MARGIN)));
        // BinaryArrayCodec needs these types, beyond the driver's defaults.
        source.setProperty(PGProperty.BINARY_TRANSFER_ENABLE, Oid.UUID_ARRAY + "," + Oid.TIMESTAMPTZ_ARRAY);
        // Server errors must not reveal the contents of the row, such as a token.
        source.setProperty(PGProperty.LOG_SERVER_ERROR_DETAIL, "false");
        url.driver().forEach((name, value) -> {
            try {
                source.setProperty(name, value);
            } catch (SQLException e) {
                throw new IllegalArgumentException(name + ": (expected: a value that the driver accepts)", e);
            }
        });
        source.setProperty(PGProperty.PREPARE_THRESHOLD, String.valueOf(prepareThreshold));
    }

    private static String seconds(Duration duration) {
        return String.valueOf(Math.max(1, duration.toSeconds()));
    }

    private static HikariConfig poolOf(PostgresUrl url, PGSimpleDataSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("holdfast-postgres");
        config.setDataSource(source);
        config.setMaximumPoolSize(url.pool());
        // No spare connections: a command that does one thing would open one in vain.
        config.setMinimumIdle(0);
        config.setAutoCommit(true);
        // Every connection already has this isolation. Without this line, Hikari reads it from its first connection.
        // If that one dies meanwhile, Hikari gives an invalid isolation to all later ones, and the pool never recovers.
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionTimeout(Math.max(250, url.timeout().toMillis())); // the least that Hikari accepts
        config.setValidationTimeout(Math.max(250, Math.min(5000, url.timeout().toMillis())));
        // The first connection finds out whether the database is reachable, and reports it with our own message.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** Borrows a connection of the pool. Calls of a store cannot be interrupted, so an interrupt is kept for later. */
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

    /** Removes a connection from the pool, because its server is no longer the primary. */
    void evict(Connection connection) {
        pool.evictConnection(connection);
    }

    /** The connection that probed the server. Valid only until the first borrow. */
    Connection first() {
        return first;
    }

    PostgresUrl url() {
        return url;
    }

    /** Whether a connection keeps no state, such as settings or LISTEN, from one transaction to the next. */
    boolean isPooled() {
        return pooled;
    }

    SessionSettings settings() {
        return settings;
    }

    @Override
    public void close() {
        pool.close();
        source.closeUnused();
    }

    /** Data source of the pool. It hands out the connection that is already open, then new ones, and sets up each. */
    @SuppressWarnings("serial") // never serialized
    private static final class PoolSource extends PGSimpleDataSource {
        private final transient AtomicReference<@Nullable Connection> first = new AtomicReference<>();

        /** SQL that sets up a connection; null if settings go with each transaction. */
        private transient volatile @Nullable String initSql;

        @Override
        public Connection getConnection() throws SQLException {
            Connection open = first.getAndSet(null);
            Connection connection = open == null ? super.getConnection() : open;
            String sql = initSql;
            if (sql != null) {
                setUp(connection, sql);
            }
            return connection;
        }

        private static void setUp(Connection connection, String sql) throws SQLException {
            boolean done = false;
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                done = true;
            } finally {
                if (!done) {
                    connection.close();
                }
            }
        }

        void closeUnused() {
            Connection unused = first.getAndSet(null);
            if (unused != null) {
                try {
                    unused.close();
                } catch (SQLException e) {
                    // The connection is unused, so an error on closing does not matter.
                }
            }
        }
    }
}
