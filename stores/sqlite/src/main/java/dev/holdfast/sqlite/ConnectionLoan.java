package dev.holdfast.sqlite;

import dev.holdfast.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Connection that serves one caller at a time. After any failure it is closed, which rolls back, and the next call
 * opens a new one. So no call inherits an unfinished transaction or an open cursor.
 */
final class ConnectionLoan implements AutoCloseable {
    private final SessionOpener opening;
    private @Nullable SqliteSession session;
    private boolean closed;

    private ConnectionLoan(SessionOpener opening) {
        this.opening = opening;
    }

    static ConnectionLoan open(SessionOpener opening) throws SQLException {
        ConnectionLoan loan = new ConnectionLoan(opening);
        loan.session = opening.open();
        return loan;
    }

    /**
     * Waits for earlier calls, then runs {@code work}. If {@code work} throws, its uncommitted changes are rolled back.
     */
    synchronized <T> T call(SessionWork<T> work) throws SQLException {
        if (closed) {
            throw StoreException.rejected("the store is closed", null);
        }
        SqliteSession lent = session == null ? opening.open() : session;
        session = null;
        boolean clean = false;
        try {
            T result = work.on(lent);
            clean = true;
            return result;
        } finally {
            if (clean) {
                session = lent;
            } else {
                discard(lent);
            }
        }
    }

    /** Waits for a running call. */
    @Override
    public synchronized void close() {
        closed = true;
        if (session != null) {
            discard(session);
            session = null;
        }
    }

    @SuppressWarnings("IllegalCatch") // An error of the driver must not hide the failure that led here.
    private static void discard(SqliteSession session) {
        try {
            session.close();
        } catch (SQLException | RuntimeException e) {
            // The original failure is reported. Commits are in the file whether or not closing succeeds.
        }
    }

    /** Factory of connections. */
    interface SessionOpener {
        SqliteSession open() throws SQLException;
    }

    /** Work of a caller that needs the connection. */
    interface SessionWork<T> {
        T on(SqliteSession session) throws SQLException;
    }
}
