package dev.holdfast.postgres;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.service.CallerTransaction;
import dev.holdfast.store.Change;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a caller's connection. It runs the store's own statements there.
 *
 * <p>A caller that dies between the mark and the commit keeps the row locked until the server notices. So the mark limits
 * how long the transaction may be idle.
 */
final class JdbcTransaction implements CallerTransaction {
    /** How long the server waits for the commit, once the mark is written, unless the caller has set a limit. */
    private static final Duration COMMIT_WAIT = Duration.ofSeconds(10);

    /**
     * Settings for the rest of the transaction, which is the mark and the commit. The plan of the mark is the same for all values, so
     * the server need not plan it anew each time.
     */
    private static final String SETTINGS = "SELECT set_config('plan_cache_mode', 'force_generic_plan', true),"
            + " CASE current_setting('idle_in_transaction_session_timeout') WHEN '0' THEN"
            + " set_config('idle_in_transaction_session_timeout', '" + COMMIT_WAIT.toMillis() + "', true) END; ";

    private final MarkStatements sql;
    private final Connection connection;

    JdbcTransaction(MarkStatements sql, Connection connection) {
        this.sql = sql;
        this.connection = connection;
    }

    /** The statements of all transactions on one schema. */
    record MarkStatements(String select, BatchStatements write) {
        private static MarkStatements of(UsableTables tables) {
            String select = "SELECT " + tables.selected() + " FROM " + tables.entry()
                    + " e WHERE e.namespace = ? AND e.name = ?";
            return new MarkStatements(select, new BatchStatements(tables));
        }
    }

    /** @throws IllegalStateException if the connection has no transaction */
    static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in auto-commit mode (expected: a transaction, as the mark and the work must be"
                            + " committed together)");
        }
    }

    /**
     * Returns the statements for the tables of this database.
     *
     * @throws StoreException if this code may not write them
     */
    static MarkStatements statements(PostgresSchema schema, Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (!product.equals("PostgreSQL")) {
            throw new IllegalArgumentException(
                    "connection: " + product + " (expected: the PostgreSQL database that the store is in)");
        }
        UsableTables tables = schema.prepare(connection, false);
        if (tables.access() != PostgresSchema.TableAccess.WRITE) {
            throw StoreException.rejected(
                    "PostgreSQL: a newer Holdfast made these tables; this one may read them, and not write", null);
        }
        return MarkStatements.of(tables);
    }

    /** Whether this database has the entry of {@code key} with this fence. */
    boolean has(Key key, Fence fence) {
        try (PreparedStatement statement = connection.prepareStatement(sql.select)) {
            bind(statement, key);
            statement.execute();
            StoredEntry found = entry(statement);
            return found != null && found.entry().fence().equals(fence);
        } catch (SQLException e) {
            throw PostgresErrors.reading(e);
        }
    }

    /** The lock is the one that an update takes: foreign keys of other tables stay usable. */
    @Override
    public @Nullable StoredEntry lock(Key key) {
        try (PreparedStatement statement =
                connection.prepareStatement(SETTINGS + sql.select + " FOR NO KEY UPDATE OF e")) {
            bind(statement, key);
            statement.execute();
            statement.getMoreResults();
            return entry(statement);
        } catch (SQLException e) {
            if (PostgresErrors.state(e).equals(PostgresErrors.READ_ONLY)) {
                throw new IllegalStateException(
                        "the transaction is read-only (expected: one that can write the mark)", e);
            }
            throw PostgresErrors.writing(e);
        }
    }

    private static void bind(PreparedStatement statement, Key key) throws SQLException {
        statement.setString(1, key.namespace());
        statement.setString(2, key.name());
    }

    private static @Nullable StoredEntry entry(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.getResultSet()) {
            return rows.next() ? PostgresRows.read(rows, 1) : null;
        }
    }

    @Override
    public WriteOutcome apply(Change change) {
        try {
            return new PostgresBatch(List.of(change))
                    .run(connection, SessionSettings.ofConnections(), sql.write, false)
                    .get(0);
        } catch (SQLException e) {
            throw PostgresErrors.writing(e);
        }
    }
}
