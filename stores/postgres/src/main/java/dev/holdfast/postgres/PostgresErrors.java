package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What an error of the driver or the server means: was anything applied, and may it help to ask again?
 *
 * <p>A batch is one transaction, so an error that the server itself reported, and after which the session goes on, means
 * that all of it was rolled back. An error that ended the session may have come after the commit: a server that is shut
 * down while a commit waits for its standby says so only then. And an error that the server did not report at all says
 * nothing.
 */
final class PostgresErrors {
    /** A read-only server was the primary once, or will be: a failover is under way. */
    static final String READ_ONLY = "25006";

    /** Class 40: rolled back, as a deadlock's victim for one. 53, 54, 58: short of memory, connections, disk. */
    private static final Set<String> PASSING_CLASSES = Set.of("40", "53", "54", "55", "57", "58", "XX");

    /** Data, constraints, rights and syntax, locks: these never end a session. */
    private static final Set<String> STATEMENT_CLASSES = Set.of("22", "23", "25", "40", "42", "55");

    /** How a batch says that the fence floor rose while it waited: see {@link BatchStatements}. */
    private static final String FLOOR_ROSE = "22012";

    /** A prepared statement that a pooler between us and the server has lost. */
    private static final String LOST_STATEMENT = "26000";

    /** A prepared statement of the same name, of another client of a pooler. */
    private static final String DUPLICATE_STATEMENT = "42P05";

    private static final String LOCK_TIMEOUT = "55P03";

    private static final String FORBIDDEN = "42501";

    private PostgresErrors() {}

    /** What went wrong before anything was sent. */
    static StoreException connecting(SQLException e) {
        return isHopeless(e)
                ? StoreException.rejected(message("cannot connect", e), e)
                : StoreException.notApplied(message("cannot connect", e), e);
    }

    /** What went wrong with a statement that changes nothing. */
    static StoreException reading(SQLException e) {
        return isHopeless(e)
                ? StoreException.rejected(message("cannot read", e), e)
                : StoreException.notApplied(message("cannot read", e), e);
    }

    /** What went wrong with a transaction that was sent. */
    static StoreException writing(SQLException e) {
        if (!isRolledBack(e)) {
            return StoreException.unknown(message("no answer", e), e);
        }
        if (state(e).equals(FLOOR_ROSE)) {
            return StoreException.notApplied("PostgreSQL: the fence floor rose meanwhile; nothing was written", e);
        }
        return isHopeless(e)
                ? StoreException.rejected(message("refused", e), e)
                : StoreException.notApplied(message("rolled back", e), e);
    }

    private static boolean isRolledBack(SQLException e) {
        ServerErrorMessage said = serverMessage(e);
        if (said == null || state(e).startsWith("08") || state(e).startsWith("57P")) {
            return false;
        }
        // The driver knows the severity in the server's language only; some states leave no doubt in any.
        return "ERROR".equals(said.getSeverity()) || STATEMENT_CLASSES.contains(classOf(e)) || isCancelled(e);
    }

    /** Whether the statement waited too long for a lock, and was rolled back. */
    static boolean isLockTimeout(SQLException e) {
        return state(e).equals(LOCK_TIMEOUT);
    }

    /** Whether the role lacks a right. */
    static boolean isForbidden(SQLException e) {
        return state(e).equals(FORBIDDEN);
    }

    private static boolean isCancelled(SQLException e) {
        return state(e).equals("57014");
    }

    /** Whether the same will be answered again, until somebody changes something. */
    private static boolean isHopeless(SQLException e) {
        String state = state(e);
        return serverMessage(e) != null
                && !state.startsWith("08")
                && !PASSING_CLASSES.contains(classOf(e))
                && !state.equals(READ_ONLY)
                && !state.equals(LOST_STATEMENT);
    }

    static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    private static String classOf(SQLException e) {
        return state(e).substring(0, Math.min(2, state(e).length()));
    }

    private static @Nullable ServerErrorMessage serverMessage(SQLException e) {
        return e instanceof PSQLException reported ? reported.getServerErrorMessage() : null;
    }

    private static String message(String what, SQLException e) {
        String state = state(e);
        return "PostgreSQL: " + what + ": " + e.getMessage() + (state.isEmpty() ? "" : " [" + state + "]")
                + hint(state);
    }

    private static String hint(String state) {
        return state.equals(LOST_STATEMENT) || state.equals(DUPLICATE_STATEMENT)
                ? "; a connection pooler hands out its connections anew for each transaction: the URL needs pooled=true,"
                        + " without prepareThreshold"
                : "";
    }
}
