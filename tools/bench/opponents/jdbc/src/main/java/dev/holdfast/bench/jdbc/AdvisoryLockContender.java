package dev.holdfast.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Session locks of PostgreSQL. They are a floor, not a lease: nothing is written, and a lock ends with its connection.
 * A held lock keeps its connection; a worker that holds many has one connection for each of its threads.
 */
final class AdvisoryLockContender implements LockContender {
    private static final String TRY = "SELECT pg_try_advisory_lock(hashtextextended(?, 0))";
    private static final String WAIT = "SELECT pg_advisory_lock(hashtextextended(?, 0)) IS NOT NULL";
    private static final String RELEASE = "SELECT pg_advisory_unlock(hashtextextended(?, 0))";

    private final HikariDataSource pool;
    private final Optional<ThreadLocal<Connection>> ownConnection;

    AdvisoryLockContender(HikariDataSource pool, boolean holding) {
        this.pool = pool;
        this.ownConnection = holding ? Optional.of(ThreadLocal.withInitial(this::connect)) : Optional.empty();
    }

    private Connection connect() {
        try {
            return pool.getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws SQLException {
        return acquire(name, TRY);
    }

    /** Waits on the server, without a limit: all loads release their locks. */
    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws SQLException {
        return acquire(name, WAIT);
    }

    private Optional<HeldLock> acquire(String name, String sql) throws SQLException {
        Connection connection = ownConnection.map(ThreadLocal::get).orElseGet(this::connect);
        if (ask(connection, sql, name)) {
            return Optional.of(() -> release(connection, name));
        }
        if (ownConnection.isEmpty()) {
            connection.close();
        }
        return Optional.empty();
    }

    private static void release(Connection connection, String name) throws SQLException {
        try (connection) {
            if (!ask(connection, RELEASE, name)) {
                throw new IllegalStateException(name + " was lost");
            }
        }
    }

    private static boolean ask(Connection connection, String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
