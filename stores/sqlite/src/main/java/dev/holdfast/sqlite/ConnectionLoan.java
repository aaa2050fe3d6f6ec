package dev.holdfast.sqlite;

import dev.holdfast.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Lends one connection to one caller at a time. After any failure the connection is thrown away, which rolls back, and
 * the next call opens another: no call ever inherits a half-done transaction or an open cursor.
 */
final class ConnectionLoan implements AutoCloseable {
    private final Opening opening;
    private @Nullable SqliteSession sqliteSession;
    private boolean closed;

    private ConnectionLoan(Opening opening) {
        this.opening = opening;
    }

    static ConnectionLoan open(Opening opening) throws SQLException {
        ConnectionLoan connectionLoan = new ConnectionLoan(opening);
        connectionLoan.sqliteSession = opening.open();
        return connectionLoan;
    }

    /** Waits for the calls before. Whatever {@code work} throws, what it did not commit is undone. */
    synchronized <T> T call(Work<T> work) throws SQLException {
        if (closed) {
            throw StoreException.rejected("the store is closed", null);
        }
        SqliteSession lent = sqliteSession == null ? opening.open() : sqliteSession;
        sqliteSession = null;
        boolean clean = false;
        try {
            T result = work.on(lent);
            clean = true;
            return result;
        } finally {
            if (clean) {
                sqliteSession = lent;
            } else {
                discard(lent);
            }
        }
    }

    /** Waits for a call under way. */
    @Override
    public synchronized void close() {
        closed = true;
        if (sqliteSession != null) {
            discard(sqliteSession);
            sqliteSession = null;
        }
    }

    @SuppressWarnings("IllegalCatch") // An error of the driver must not hide the failure that led here.
    private static void discard(SqliteSession sqliteSession) {
        try {
            sqliteSession.close();
        } catch (SQLException | RuntimeException e) {
            // The failure that led here is reported; what is committed is in the file whether this closes well or not.
        }
    }

    /** Makes a connection. */
    interface Opening {
        SqliteSession open() throws SQLException;
    }

    /** What a caller does with the connection. */
    interface Work<T> {
        T on(SqliteSession sqliteSession) throws SQLException;
    }
}
