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
 * One connection and its prepared statements, which are kept: the texts are constants, so they are few. Not thread-safe.
 *
 * <p>The driver stays in autocommit and transactions are begun by hand: left to itself it begins the next transaction
 * right after a commit, and so keeps the write lock from other processes.
 */
public final class SqliteSession implements AutoCloseable {
    /** Takes the write lock at once: what a transaction compares cannot change under it. */
    private static final String BEGIN = "BEGIN IMMEDIATE";

    private final SQLiteConnection connection;
    private final int busyMillis;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private boolean patient = true;
    /** Of the files that SQLite has open for this connection alone. */
    private FileGuard guard = new FileGuard();

    private SqliteSession(SQLiteConnection connection, int busyMillis) {
        this.connection = connection;
        this.busyMillis = busyMillis;
    }

    /**
     * Opens a file that exists.
     *
     * @param uri see {@link DatabaseFile}
     * @param patience how long SQLite itself waits for others; at most 24 days of it
     */
    static SqliteSession open(String uri, boolean readOnly, Duration patience) throws SQLException {
        int busyMillis = (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.convert(patience));
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(readOnly);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(busyMillis);
        // Or the driver asks for a row id after every insert.
        config.setGetGeneratedKeys(false);
        return new SqliteSession((SQLiteConnection) config.createConnection("jdbc:sqlite:" + uri), busyMillis);
    }

    public PreparedStatement prepared(String sql) throws SQLException {
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

    /** Begins to write, after waiting for whoever writes now. */
    void begin() throws SQLException {
        patient(true);
        execute(BEGIN);
    }

    /** Begins to write, if nobody else does. */
    boolean tryBegin() throws SQLException {
        return ifIdle(() -> {
            execute(BEGIN);
            return true;
        });
    }

    /** Does {@code write}, unless somebody else is writing: then false. */
    boolean ifIdle(Write write) throws SQLException {
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

    /** Whether SQLite itself waits for others. */
    private void patient(boolean newPatient) throws SQLException {
        if (patient != newPatient) {
            connection.setBusyTimeout(newPatient ? busyMillis : 0);
            patient = newPatient;
        }
    }

    /** Writes something; false if there was nothing to write. */
    interface Write {
        boolean run() throws SQLException;
    }

    /** The one number that {@code sql} asks for. */
    public long number(String sql) throws SQLException {
        try (ResultSet row = prepared(sql).executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The one text that {@code sql} asks for. */
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

    /** Rolls back what is under way. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
