package dev.holdfast.sqlite;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/**
 * Connection with a cache of its prepared statements. Their texts are constants, so there are few. Not thread-safe.
 *
 * <p>The driver stays in autocommit mode, and this class begins transactions by SQL. Otherwise the driver would begin
 * the next transaction right after a commit, and keep the write lock from other processes.
 */
final class SqliteSession implements AutoCloseable {
    /** Takes the write lock immediately, so that the rows a transaction compares cannot change under it. */
    private static final String BEGIN = "BEGIN IMMEDIATE";

    private final SQLiteConnection connection;
    private final int busyMillis;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private boolean patient = true;
    /** Guards the files that SQLite has open for this connection alone. */
    private FileGuard guard = new FileGuard();

    /** For the schema of the file. */
    private SqliteStatements texts = SqliteStatements.WITHOUT_HISTORY;

    private SqliteSession(SQLiteConnection connection, int busyMillis) {
        this.connection = connection;
        this.busyMillis = busyMillis;
    }

    /**
     * Opens an existing file.
     *
     * @param uri see {@link DatabaseFile}
     * @param patience how long SQLite itself waits for other connections; at most 24 days
     */
    static SqliteSession open(String uri, boolean readOnly, Duration patience) throws SQLException {
        int busyMillis = (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.convert(patience));
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(readOnly);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(busyMillis);
        // Otherwise the driver reads a row id after every insert.
        config.setGetGeneratedKeys(false);
        return new SqliteSession((SQLiteConnection) config.createConnection("jdbc:sqlite:" + uri), busyMillis);
    }

    /** The statements that fit the schema of the file. */
    SqliteStatements statements() {
        return texts;
    }

    void use(SqliteStatements newTexts) {
        texts = newTexts;
    }

    PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            statements.put(sql, known);
        }
        return known;
    }

    void execute(String sql) throws SQLException {
        prepared(sql).execute();
    }

    /** Begins a write transaction, after waiting for the current writer. */
    void begin() throws SQLException {
        patient(true);
        execute(BEGIN);
    }

    /** Begins a write transaction if there is no other writer. */
    boolean tryBegin() throws SQLException {
        return ifIdle(() -> {
            execute(BEGIN);
            return true;
        });
    }

    /** Runs {@code write}, or returns false if another connection is writing. */
    boolean ifIdle(WriteAttempt write) throws SQLException {
        patient(false);
        try {
            return write.run();
        } catch (SQLException e) {
            if (SqliteErrors.isBusy(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Sets whether SQLite itself waits for other connections. */
    private void patient(boolean newPatient) throws SQLException {
        if (patient != newPatient) {
            connection.setBusyTimeout(newPatient ? busyMillis : 0);
            patient = newPatient;
        }
    }

    /** A write that returns false if there was nothing to write. */
    interface WriteAttempt {
        boolean run() throws SQLException;
    }

    /** Returns the single number that {@code sql} selects. */
    long number(String sql) throws SQLException {
        try (ResultSet row = prepared(sql).executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns the single text that {@code sql} selects. */
    String text(String sql) throws SQLException {
        try (ResultSet row = prepared(sql).executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    void guardedBy(FileGuard newGuard) {
        guard = newGuard;
    }

    /** @see FileGuard#changedFile */
    @Nullable
    Path changedFile() {
        return guard.changedFile();
    }

    /** Also rolls back an open transaction. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
