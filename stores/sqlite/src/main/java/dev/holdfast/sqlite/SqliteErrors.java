package dev.holdfast.sqlite;

import dev.holdfast.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Messages for errors of SQLite: the file, the cause, the remedy, and whether anything was written. */
final class SqliteErrors {
    /** The statement does not fit the tables, and was not run. */
    private static final int ERROR = 1;

    private static final int PERM = 3;
    static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    /** Other connections won SQLite's own locks too many times in a row. */
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

    /** Returns the error for a read, or for a failure before the commit, which was rolled back. */
    StoreException notApplied(SQLException e) {
        String message = path + ": " + cause(e);
        return switch (code(e)) {
            case PERM, READONLY, CORRUPT, NOTADB, ERROR, CONSTRAINT, MISMATCH, TOOBIG ->
                StoreException.rejected(message, e);
            default -> StoreException.notApplied(message + "; nothing was written", e);
        };
    }

    /** Returns the cause and the remedy. */
    private String cause(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED, PROTOCOL -> "others kept the file locked for " + patience;
            case FULL -> "the disk is full, or the file has reached its size limit: free some space";
            case IOERR -> ioCause(e);
            case CANTOPEN ->
                "cannot be opened: make sure that the file exists, that its folder is writable, and that this process"
                        + " may open more files";
            case PERM, READONLY -> "cannot be written: this user must be able to write the file and its folder";
            case CORRUPT, NOTADB ->
                "not an SQLite file, or damaged; it is left as it is: restore it from a backup, or name another file";
            case ERROR ->
                "its tables are not as Holdfast makes them (" + e.getMessage()
                        + "); it is left as it is: restore it from a backup, or name another file";
            case CONSTRAINT, MISMATCH, TOOBIG -> "the file does not accept this entry (" + e.getMessage() + ")";
            default -> String.valueOf(e.getMessage());
        };
    }

    /** SQLite reports a full disk as an I/O error when it extends the index of its log. */
    private static String ioCause(SQLException e) {
        SQLiteErrorCode code =
                e instanceof SQLiteException known ? known.getResultCode() : SQLiteErrorCode.SQLITE_IOERR;
        boolean isFull = code == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE;
        return "reading or writing failed (" + code.name() + "): "
                + (isFull ? "perhaps the disk is full, free some space" : "check the disk and the system's log");
    }

    /**
     * Returns the error for a failed commit. The log may already hold all of it, and a process that recovers the file
     * after a crash would apply it. So the outcome is unknown even if the disk is full.
     */
    StoreException unknown(SQLException e) {
        return StoreException.unknown(path + ": the commit failed: " + cause(e), e);
    }

    /**
     * Returns the error for a statement that commits by itself. A full disk, for example, may have failed the commit.
     */
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

    /** Returns the error for a call that found {@code changed} to differ from the file that is open. */
    StoreException replaced(Path changed) {
        return rejected(replacement(changed));
    }

    /** Returns the error for a write that may be in a file that other processes cannot see. */
    StoreException replacedDuringWrite(Path changed) {
        return StoreException.unknown(path + ": " + replacement(changed), null);
    }

    private String replacement(Path changed) {
        return (changed.equals(path) ? "" : changed + " ")
                + "was deleted, moved or replaced while this process had it open. Other processes may use another file"
                + " now, so leases in this one are no longer granted or renewed: restart this process";
    }

    /** Returns the error for a problem that Holdfast itself found. */
    StoreException rejected(String message) {
        return rejected(message, null);
    }

    StoreException rejected(String message, @Nullable Throwable cause) {
        return StoreException.rejected(path + ": " + message, cause);
    }

    static boolean isBusy(SQLException e) {
        return code(e) == BUSY;
    }

    /** The driver returns the primary code. An extended code would have it in its lowest byte. */
    private static int code(SQLException e) {
        return e.getErrorCode() & 0xff;
    }
}
