package dev.holdfast.sqlite;

import dev.holdfast.spi.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says what an error of SQLite means for those who wait, in words that name the file. */
final class SqliteErrors {
    /** A statement that does not fit the tables: it was not run. */
    private static final int ERROR = 1;

    private static final int PERM = 3;
    static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    /** Others were faster at SQLite's own locks, too many times in a row. */
    private static final int PROTOCOL = 15;

    private static final int TOOBIG = 18;
    private static final int CONSTRAINT = 19;
    private static final int MISMATCH = 20;
    private static final int NOTADB = 26;

    private final Path path;
    private final Duration patience;

    SqliteErrors(Path path, Duration patience) {
        this.path = path;
        this.patience = patience;
    }

    /** For what failed before its commit, and was rolled back; and for what only reads. */
    StoreException notApplied(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED, PROTOCOL ->
                StoreException.notApplied(
                        path + ": others kept the file locked for " + patience + "; nothing was written", e);
            case FULL ->
                StoreException.notApplied(
                        path + ": the disk is full, or the file has reached its limit; nothing was written", e);
            case CANTOPEN ->
                StoreException.notApplied(
                        path + ": cannot be opened; is it there, is its folder writable, are there files left to open?",
                        e);
            case PERM, READONLY ->
                StoreException.rejected(
                        path + ": cannot be written; this user must be able to write the file and its folder", e);
            case CORRUPT, NOTADB ->
                StoreException.rejected(
                        path
                                + ": not an SQLite file, or damaged; it is left as it is: restore it, or name another file",
                        e);
            case ERROR ->
                StoreException.rejected(
                        path + ": its tables are not as Holdfast makes them (" + e.getMessage()
                                + "); it is left as it is: mend it, or name another file",
                        e);
            case CONSTRAINT, MISMATCH, TOOBIG ->
                StoreException.rejected(path + ": the file does not take this entry; nothing was written", e);
            default -> StoreException.notApplied(path + ": nothing was written: " + e.getMessage(), e);
        };
    }

    /**
     * For a commit that failed. The log may already hold all of it, and whoever recovers the file after a crash would
     * find it there: even of a full disk nothing more can be said.
     */
    StoreException unknown(SQLException e) {
        return StoreException.unknown(path + ": the commit failed: " + e.getMessage(), e);
    }

    /** For a statement that commits by itself: a full disk, say, may have been met by the commit. */
    StoreException ofAlone(SQLException e) {
        return switch (code(e)) {
            case ERROR,
                    BUSY,
                    LOCKED,
                    PROTOCOL,
                    PERM,
                    READONLY,
                    CANTOPEN,
                    CORRUPT,
                    NOTADB,
                    CONSTRAINT,
                    MISMATCH,
                    TOOBIG -> notApplied(e);
            default -> unknown(e);
        };
    }

    /** What Holdfast itself found wrong. */
    StoreException rejected(String message) {
        return rejected(message, null);
    }

    /** @see #rejected(String) */
    StoreException rejected(String message, @Nullable Throwable cause) {
        return StoreException.rejected(path + ": " + message, cause);
    }

    static boolean isBusy(SQLException e) {
        return code(e) == BUSY;
    }

    /** The driver gives the primary code; an extended one would hold it in its lowest byte. */
    private static int code(SQLException e) {
        return e.getErrorCode() & 0xff;
    }
}
