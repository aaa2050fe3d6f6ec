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
 * Connections to the primary: a pool of them for calls, and single ones for work that takes long.
 *
 * <p>The first one shows what is at the other end, serves to look at the schema, and then becomes the first of the pool:
 * a command that does one thing opens no other.
 */
final class PostgresConnections implements AutoCloseable {
    /** The server gives up first, as it can tell what became of the transaction; the socket is for when it cannot. */
    private static final Duration SOCKET_MARGIN = Duration.ofSeconds(3);

    /** The few statements that there are run all the time. */
    private static final int PREPARE_AT_ONCE = 1;

    private static final int PREPARE_NEVER = 0;

    private final PostgresUrl url;
    private final PoolSource source;
    private final HikariDataSource pool;
    private final Connection first;
    private final boolean pooled;
    private final SessionSettings settings;

    private PostgresConnections(
            PostgresUrl url,
            PoolSource source,
            HikariDataSource pool,
            Connection first,
            boolean pooled,
            SessionSettings settings) {
        this.url = url;
        this.source = source;
        this.pool = pool;
        this.first = first;
        this.pooled = pooled;
        this.settings = settings;
    }

    /**
     * Connects.
     *
     * @throws StoreException if Holdfast cannot work with this server
     */
    static PostgresConnections open(PostgresUrl url) throws SQLException {
        PoolSource source = new PoolSource();
        // Opens nothing yet. It comes first because the class-data archive of the command is made without a database.
        HikariDataSource pool = new HikariDataSource(poolOf(url, source));
        boolean usable = false;
        try {
            Connection first = single(url);
            source.first.set(first);
            PostgresServerProbe probe = PostgresServerProbe.of(first);
            boolean pooled = url.pooled() == null ? probe.behindPooler() : url.pooled();
            probe.check(pooled);
            SessionSettings settings = pooled
                    ? SessionSettings.ofTransactions(url, PostgresServerProbe.known(first, SessionSettings.names(url)))
                    : SessionSettings.ofConnections();
            first.unwrap(PGConnection.class).setPrepareThreshold(threshold(url, pooled));
            configure(source, url, threshold(url, pooled));
            source.initSql = pooled ? null : SessionSettings.initSql(url);
            usable = true;
            return new PostgresConnections(url, source, pool, first, pooled, settings);
        } finally {
            if (!usable) {
                pool.close();
                source.closeUnused();
            }
        }
    }

    /** The longest that a call can take: waiting for a connection, and then for its answer. */
    static Duration longestCall(PostgresUrl url) {
        return url.timeout().multipliedBy(2).plus(SOCKET_MARGIN);
    }

    /** A connection that prepares nothing, so that it works whatever is at its other end. */
    static Connection single(PostgresUrl url) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        configure(source, url, PREPARE_NEVER);
        return source.getConnection();
    }

    /** The same, for statements that may take any time, such as an upgrade of the tables. */
    static Connection unhurried(PostgresUrl url) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        configure(source, url, PREPARE_NEVER);
        set(source, PGProperty.SOCKET_TIMEOUT, "0");
        return source.getConnection();
    }

    private static int threshold(PostgresUrl url, boolean pooled) {
        String given = url.driver().get(PGProperty.PREPARE_THRESHOLD.getName());
        return given != null ? Integer.parseInt(given) : pooled ? PREPARE_NEVER : PREPARE_AT_ONCE;
    }

    private static void configure(PGSimpleDataSource source, PostgresUrl url, int prepareThreshold) {
        source.setURL("jdbc:postgresql://" + url.hosts() + "/"
                + URLEncoder.encode(url.database(), StandardCharsets.UTF_8).replace("+", "%20"));
        source.setUser(url.user());
        source.setPassword(url.password());
        set(source, PGProperty.APPLICATION_NAME, "holdfast");
        set(source, PGProperty.TARGET_SERVER_TYPE, "primary");
        set(source, PGProperty.TCP_KEEP_ALIVE, "true");
        set(source, PGProperty.CONNECT_TIMEOUT, seconds(url.timeout()));
        set(source, PGProperty.SOCKET_TIMEOUT, seconds(url.timeout().plus(SOCKET_MARGIN)));
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
        set(source, PGProperty.PREPARE_THRESHOLD, String.valueOf(prepareThreshold));
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
        // None to spare: a command that does one thing would open a connection for nothing.
        config.setMinimumIdle(0);
        config.setAutoCommit(true);
        config.setConnectionTimeout(Math.max(250, url.timeout().toMillis())); // no less than what Hikari takes
        config.setValidationTimeout(Math.max(250, Math.min(5000, url.timeout().toMillis())));
        // Whether the database can be reached is found out, and said in our words, by the first connection.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** One of the pool. Calls of a store cannot be interrupted; an interruption is kept until later. */
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

    /** The one that {@link #open} made; only until the first is borrowed. */
    Connection first() {
        return first;
    }

    /** A new one, outside of the pool. */
    Connection open() throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        configure(source, url, threshold(url, pooled));
        return source.getConnection();
    }

    PostgresUrl url() {
        return url;
    }

    /** Whether a connection keeps nothing from one transaction to the next: no setting, no LISTEN. */
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

    /** Gives the pool a connection that is open already, and new ones after that. All are set up. */
    @SuppressWarnings("serial") // never written anywhere
    private static final class PoolSource extends PGSimpleDataSource {
        private final transient AtomicReference<@Nullable Connection> first = new AtomicReference<>();

        /** What sets up a connection; null where settings go with each transaction. */
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
                    // It is of no use any more, whatever the driver says.
                }
            }
        }
    }
}
