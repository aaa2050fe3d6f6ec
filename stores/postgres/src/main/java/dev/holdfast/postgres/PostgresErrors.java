package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Interpretation of errors of the driver or the server: whether anything was applied, and whether a retry may help.
 *
 * <p>A batch is one transaction. An error that the server reported without ending the session means that all of it was
 * rolled back. An error that ended the session may have come after the commit: a server that shuts down while a commit
 * waits for its standby reports it only then. If the server reported no error at all, the outcome is unknown.
 */
final class PostgresErrors {
    /** A read-only server was the primary or will be: a failover is in progress. */
    static final String READ_ONLY = "25006";

    /**
     * Class 40: rolled back, for example as the victim of a deadlock. 53, 54, 58: out of memory, connections or disk.
     */
    private static final Set<String> TRANSIENT_CLASSES = Set.of("40", "53", "54", "55", "57", "58", "XX");

    /** Data, constraints, privileges, syntax and locks: these never end a session. */
    private static final Set<String> STATEMENT_CLASSES = Set.of("22", "23", "25", "40", "42", "55");

    /** The error by which a batch reports that the fence floor rose while it waited: see {@link BatchStatements}. */
    private static final String FLOOR_ROSE = "22012";

    /** A connection pooler has lost a prepared statement. */
    private static final String LOST_STATEMENT = "26000";

    /** Another client of a pooler has a prepared statement of the same name. */
    private static final String DUPLICATE_STATEMENT = "42P05";

    private static final String LOCK_TIMEOUT = "55P03";

    private static final String FORBIDDEN = "42501";

    private static final String CANCELLED = "57014";

    private PostgresErrors() {}

    /** Returns the error for a failure before anything was sent. */
    static StoreException connecting(SQLException e) {
        return notApplied("cannot connect", "cannot connect", e);
    }

    /** Returns the error for a failed statement that changes nothing. */
    static StoreException reading(SQLException e) {
        return notApplied("cannot read", "cannot read", e);
    }

    /** Returns the error for a failed transaction that was sent. */
    static StoreException writing(SQLException e) {
        if (!isRolledBack(e)) {
            return StoreException.unknown(message("no response", e), e);
        }
        if (isFloorRisen(e)) {
            return StoreException.notApplied("PostgreSQL: the fence floor rose meanwhile; nothing was written", e);
        }
        return notApplied("refused", "rolled back", e);
    }

    private static StoreException notApplied(String permanent, String transientSummary, SQLException e) {
        return isPermanent(e)
                ? StoreException.rejected(message(permanent, e), e)
                : StoreException.notApplied(message(transientSummary, e), e);
    }

    private static boolean isRolledBack(SQLException e) {
        ServerErrorMessage serverError = serverMessage(e);
        if (serverError == null || state(e).startsWith("08") || state(e).startsWith("57P")) {
            return false;
        }
        // The driver knows the severity only in the server's language. Some states are clear in any language.
        return "ERROR".equals(serverError.getSeverity())
                || STATEMENT_CLASSES.contains(classOf(e))
                || state(e).equals(CANCELLED);
    }

    /** Returns whether the fence floor rose to a fence that was being inserted. Nothing was written. */
    static boolean isFloorRisen(SQLException e) {
        return state(e).equals(FLOOR_ROSE);
    }

    /** Returns whether the statement timed out waiting for a lock, and was rolled back. */
    static boolean isLockTimeout(SQLException e) {
        return state(e).equals(LOCK_TIMEOUT);
    }

    /** Returns whether the role lacks a privilege. */
    static boolean isForbidden(SQLException e) {
        return state(e).equals(FORBIDDEN);
    }

    /** Returns whether a retry would get the same error until an operator changes something. */
    private static boolean isPermanent(SQLException e) {
        String state = state(e);
        return serverMessage(e) != null
                && !state.startsWith("08")
                && !TRANSIENT_CLASSES.contains(classOf(e))
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

    private static String message(String summary, SQLException e) {
        String state = state(e);
        return "PostgreSQL: " + summary + ": " + e.getMessage() + (state.isEmpty() ? "" : " [" + state + "]")
                + hint(state);
    }

    private static String hint(String state) {
        return state.equals(LOST_STATEMENT) || state.equals(DUPLICATE_STATEMENT)
                ? "; a connection pooler hands out its connections anew for each transaction: the URL needs pooled=true,"
                        + " without prepareThreshold"
                : "";
    }
}
