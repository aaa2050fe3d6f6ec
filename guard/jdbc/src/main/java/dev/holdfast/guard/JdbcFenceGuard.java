package dev.holdfast.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The guard of a database. {@link #check} runs inside the caller's transaction and keeps the row of the key locked until that
 * ends. So all writes of the transaction come before those of the next holder, or are refused.
 *
 * <pre>{@code
 * JdbcFenceGuard guard = FenceGuard.jdbc();
 * guard.inTransaction(dataSource, lease, connection -> updateStock(connection));
 * }</pre>
 *
 * <p>The table {@code holdfast_fence} must exist: see {@link #createTable}. It has one row per key that was ever checked.
 *
 * <p><b>A paused holder blocks its successor</b> while its transaction is open, because it has locked the row. Every database
 * must limit that:
 *
 * <ul>
 *   <li>PostgreSQL: the check sets {@code lock_timeout} (10 s) and {@code idle_in_transaction_session_timeout} (60 s) for the
 *       transaction, unless they are set.
 *   <li>MariaDB and MySQL: set {@code innodb_lock_wait_timeout} (50 s by default), and {@code idle_transaction_timeout} on
 *       MariaDB.
 *   <li>SQLite: set {@code busy_timeout}. H2: set {@code LOCK_TIMEOUT}.
 * </ul>
 *
 * <p>Under REPEATABLE READ and SERIALIZABLE, PostgreSQL may fail a check (40001) if another transaction changed the row since the
 * snapshot; the transaction can be repeated.
 *
 * <p>Immutable; thread-safe.
 */
public final class JdbcFenceGuard implements FenceGuard<Connection, SQLException> {
    static final JdbcFenceGuard DEFAULT =
            new JdbcFenceGuard("holdfast_fence", Duration.ofSeconds(10), Duration.ofSeconds(60));

    private static final Duration LIMIT_MAX = Duration.ofDays(1);

    private final String table;
    private final Duration lockTimeout;
    private final Duration idleTimeout;

    private JdbcFenceGuard(String table, Duration lockTimeout, Duration idleTimeout) {
        this.table = table;
        this.lockTimeout = lockTimeout;
        this.idleTimeout = idleTimeout;
    }

    /** With another table, for example in a schema: {@code app.fences}. */
    public JdbcFenceGuard table(String newTable) {
        if (!newTable.matches("\\w+(\\.\\w+)?")) {
            throw new IllegalArgumentException("table: " + newTable + " (expected: a name, or schema.name)");
        }
        return new JdbcFenceGuard(newTable, lockTimeout, idleTimeout);
    }

    /** With another limit for waiting on the row of a key, on PostgreSQL. */
    public JdbcFenceGuard lockTimeout(Duration newTimeout) {
        return new JdbcFenceGuard(table, limit("lockTimeout", newTimeout), idleTimeout);
    }

    /** With another limit for an idle transaction, on PostgreSQL: a paused holder blocks the next one no longer than this. */
    public JdbcFenceGuard idleTimeout(Duration newTimeout) {
        return new JdbcFenceGuard(table, lockTimeout, limit("idleTimeout", newTimeout));
    }

    /** PostgreSQL takes 0 for no limit. */
    private static Duration limit(String name, Duration limit) {
        if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(LIMIT_MAX) > 0) {
            throw new IllegalArgumentException(name + ": " + limit + " (expected: PT0.001S to " + LIMIT_MAX + ")");
        }
        return limit;
    }

    /** The statement that creates the table in a database. The guard never runs it. */
    public String createTable(JdbcDialect dialect) {
        return dialect.createTable(table);
    }

    /**
     * Checks a fence in the transaction of {@code connection}, and locks the row of the key until that ends.
     *
     * @throws StaleFenceException if a larger fence was seen; the transaction must be rolled back
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    @Override
    public void check(Connection connection, Key key, Fence fence) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in auto-commit mode (expected: a transaction, as the check"
                            + " protects what is written in the same one)");
        }
        remember(connection, key, fence);
    }

    /**
     * Checks a fence and remembers it, also on a connection in auto-commit mode. For a component in front of the resource, such as
     * a gate for HTTP requests, which has no part in the transaction of the write.
     *
     * <p><b>This protects no write by itself.</b> In auto-commit mode the row of the key is unlocked when this method returns. A
     * newer holder may write before the caller does. Only {@link #check} in the transaction of the write prevents that.
     *
     * @throws StaleFenceException if a larger fence was seen
     */
    public void remember(Connection connection, Key key, Fence fence) throws SQLException {
        JdbcDialect dialect = JdbcDialect.of(connection);
        try {
            if (!raise(connection, dialect, key, fence)) {
                insert(connection, dialect, key, fence);
                if (!raise(connection, dialect, key, fence)) {
                    throw new StaleFenceException(key, fence, newest(connection, dialect, key));
                }
            }
        } catch (SQLException e) {
            throw isTableMissing(e)
                    ? new SQLException(
                            "table " + table + " is missing; create it with\n" + createTable(dialect),
                            e.getSQLState(),
                            e)
                    : e;
        }
    }

    /** The decision: whether a row with an older or the same fence was there. */
    private boolean raise(Connection connection, JdbcDialect dialect, Key key, Fence fence) throws SQLException {
        String sql = limits(dialect) + "UPDATE " + table
                + " SET fence = ?, checks = checks + 1 WHERE namespace = ? AND name = ? AND fence <= ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, fence.value());
            bind(statement, 2, dialect, key);
            statement.setLong(4, fence.value());
            if (statement.execute()) {
                statement.getMoreResults(); // The settings.
            }
            return statement.getUpdateCount() == 1;
        }
    }

    private String limits(JdbcDialect dialect) {
        return dialect == JdbcDialect.POSTGRESQL
                ? "SELECT " + unlessSet("lock_timeout", lockTimeout) + ", "
                        + unlessSet("idle_in_transaction_session_timeout", idleTimeout) + "; "
                : "";
    }

    private static String unlessSet(String setting, Duration limit) {
        return "CASE current_setting('" + setting + "') WHEN '0' THEN set_config('" + setting + "', '"
                + limit.toMillis() + "', true) END";
    }

    private void insert(Connection connection, JdbcDialect dialect, Key key, Fence fence) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.insert(table))) {
            bind(statement, 1, dialect, key);
            statement.setLong(3, fence.value());
            statement.executeUpdate();
        } catch (SQLException e) {
            boolean isPresent = String.valueOf(e.getSQLState()).startsWith("23");
            if (!(isPresent && dialect.insertFailsIfPresent())) {
                throw e;
            }
        }
    }

    /** The newest fence, for the message only. */
    private @Nullable Fence newest(Connection connection, JdbcDialect dialect, Key key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT fence FROM " + table + " WHERE namespace = ? AND name = ?")) {
            bind(statement, 1, dialect, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Fence.of(rows.getLong(1)) : null;
            }
        }
    }

    private static void bind(PreparedStatement statement, int from, JdbcDialect dialect, Key key) throws SQLException {
        if (dialect == JdbcDialect.MARIADB) {
            statement.setBytes(from, key.namespace().getBytes(UTF_8));
            statement.setBytes(from + 1, key.name().getBytes(UTF_8));
        } else {
            statement.setString(from, key.namespace());
            statement.setString(from + 1, key.name());
        }
    }

    private static boolean isTableMissing(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P01")
                || state.startsWith("42S0")
                || String.valueOf(e.getMessage()).contains("no such table");
    }

    /**
     * Forgets the newest fence of a key. Only for a store that was replaced by an empty one, whose fences may be smaller. A
     * holder of the former store could write again.
     */
    public void reset(Connection connection, Key key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM " + table + " WHERE namespace = ? AND name = ?")) {
            bind(statement, 1, JdbcDialect.of(connection), key);
            statement.executeUpdate();
        }
    }

    /** Work in a transaction. */
    @FunctionalInterface
    public interface GuardedWork<T extends @Nullable Object> {
        T run(Connection connection) throws Exception;
    }

    /** Work in a transaction, without a result. */
    @FunctionalInterface
    public interface GuardedAction {
        void run(Connection connection) throws Exception;
    }

    /** Runs an action in a transaction, as {@link #callInTransaction} does. */
    public void inTransaction(DataSource dataSource, Lease lease, GuardedAction action) throws Exception {
        callInTransaction(dataSource, lease, connection -> {
            action.run(connection);
            return lease;
        });
    }

    /**
     * Runs {@code work} in a transaction: checks the fence, runs the work, checks again, and commits. Rolls back if the work
     * fails, or the lease was lost.
     *
     * @return the result of the work
     * @throws StaleFenceException if a larger fence was seen; nothing was committed
     * @throws LeaseLostException if the lease was lost before the commit; nothing was committed
     * @throws Exception thrown by the work; nothing was committed
     */
    public <T extends @Nullable Object> T callInTransaction(DataSource dataSource, Lease lease, GuardedWork<T> work)
            throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            T value;
            try {
                check(connection, lease);
                value = work.run(connection);
                lease.checkHeld();
                check(connection, lease); // The work may have rolled back to a savepoint, and the first check with it.
                connection.commit();
            } catch (Throwable e) {
                rollBack(connection, autoCommit, e);
                throw e;
            }
            connection.setAutoCommit(autoCommit);
            return value;
        }
    }

    private static void rollBack(Connection connection, boolean autoCommit, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
