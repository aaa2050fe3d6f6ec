package dev.holdfast.sqlite;

import dev.holdfast.spi.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Lends one connection to one caller at a time. After any failure the connection is thrown away, which rolls back, and
 * the next call opens another: no call ever inherits a half-done transaction or an open cursor.
 */
final class Link implements AutoCloseable {
    private final Opening opening;
    private @Nullable Session session;
    private boolean closed;

    private Link(Opening opening) {
        this.opening = opening;
    }

    static Link open(Opening opening) throws SQLException {
        Link link = new Link(opening);
        link.session = opening.open();
        return link;
    }

    /** Waits for the calls before. Whatever {@code work} throws, what it did not commit is undone. */
    synchronized <T> T call(Work<T> work) throws SQLException {
        if (closed) {
            throw StoreException.rejected("the store is closed", null);
        }
        Session lent = session == null ? opening.open() : session;
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

    /** Waits for a call under way. */
    @Override
    public synchronized void close() {
        closed = true;
        if (session != null) {
            discard(session);
            session = null;
        }
    }

    @SuppressWarnings("IllegalCatch") // An error of the driver must not hide the failure that led here.
    private static void discard(Session session) {
        try {
            session.close();
        } catch (SQLException | RuntimeException e) {
            // The failure that led here is reported; what is committed is in the file whether this closes well or not.
        }
    }

    /** Makes a connection. */
    interface Opening {
        Session open() throws SQLException;
    }

    /** What a caller does with the connection. */
    interface Work<T> {
        T on(Session session) throws SQLException;
    }
}
