package dev.holdfast.sqlite;

import dev.holdfast.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The file: creates it, and opens connections to it once it is known to be ours.
 *
 * <p><b>The file is never opened but by SQLite.</b> When a process closes a file, POSIX drops all locks that the process
 * has on it, whoever took them; a look at the first bytes would so take the locks from other stores of this process, and
 * the file might be corrupted. Therefore it is created under a lock of this process, and judged through a connection that
 * can only read.
 */
final class DatabaseFile {
    private static final Object CREATING = new Object();
    private static final long RETRY_NANOS = 5_000_000;
    /** A commit writes whole pages, of which small rows in several indexes change little; four rows or so fit in one. */
    private static final int PAGE_BYTES = 1024;
    /** The log grows to 8 MB before it is carried over into the file: pages that every commit changes go but once. */
    private static final int CHECKPOINT_PAGES = 8_000;

    private final Path path;
    private final String uri;
    private final SqliteDurability sqliteDurability;
    private final SqliteSchema sqliteSchema;
    private final Duration patience;
    private final SqliteErrors errors;
    /** Taken once: a file that replaced ours later is never opened in its place. */
    private final FileGuard guard;
    /** A file beside ours that was found deleted or replaced; then SQLite has lost its log for good. */
    private volatile @Nullable Path lost;

    private DatabaseFile(
            Path path,
            SqliteDurability sqliteDurability,
            SqliteSchema sqliteSchema,
            Duration patience,
            SqliteErrors errors) {
        this.path = path;
        // As a URI, since in a plain name the driver would give '?' and ':' a meaning.
        this.uri = "file://" + path.toUri().getRawPath();
        this.sqliteDurability = sqliteDurability;
        this.sqliteSchema = sqliteSchema;
        this.patience = patience;
        this.errors = errors;
        this.guard = new FileGuard(path);
    }

    /**
     * The file that the URL names, created if it is not there.
     *
     * @param patience how long SQLite waits for others before it gives up
     */
    static DatabaseFile of(
            SqliteUrl url, SqliteSchema sqliteSchema, Duration patience, SqliteErrors errors, FileSystemTypes types) {
        Path path = url.path();
        requireOneHost(url, errors, types);
        requireNoLogOfADeletedFile(path, errors);
        try {
            if (url.isDefault()) {
                createFolders(path.resolveSibling("."));
            }
            create(path);
        } catch (FileAlreadyExistsException e) {
            requireWritable(path, errors);
        } catch (NoSuchFileException e) {
            throw errors.rejected("the folder " + path.getParent() + " does not exist: create it, or name another", e);
        } catch (IOException e) {
            throw errors.rejected("cannot be created: " + e, e);
        }
        return new DatabaseFile(path, url.durability(), sqliteSchema, patience, errors);
    }

    private static void requireOneHost(SqliteUrl url, SqliteErrors errors, FileSystemTypes types) {
        String shared = url.isOneHost() ? null : types.sharedTypeOf(url.path());
        if (shared != null) {
            throw errors.rejected(
                    FileSystemTypes.danger(shared) + ": name a file on a local disk, or use PostgreSQL. If"
                            + " no other host ever opens this file, add ?" + SqliteUrl.ONE_HOST + " to the URL");
        }
    }

    /**
     * The log of a file is there while any process has that file open. If the file itself is gone, it was deleted under
     * those processes, and a new one would grant what they still hold.
     */
    static void requireNoLogOfADeletedFile(Path path, SqliteErrors errors) {
        Path log = log(path);
        if (Files.exists(log) && Files.notExists(path)) {
            throw errors.rejected("does not exist, but " + log + " does: the file was deleted or moved, perhaps while"
                    + " processes use it. Move it back; or stop those processes, delete the -wal and -shm files too,"
                    + " and try again");
        }
    }

    private static Path log(Path path) {
        return path.resolveSibling(path.getFileName() + "-wal");
    }

    private static Path logIndex(Path path) {
        return path.resolveSibling(path.getFileName() + "-shm");
    }

    private static void createFolders(Path folder) throws IOException {
        Files.createDirectories(folder.normalize(), mode("rwx------"));
    }

    private static void create(Path path) throws IOException {
        synchronized (CREATING) {
            Files.createFile(path, mode("rw-------"));
        }
    }

    /** SQLite gives its other files the mode of the first. */
    static FileAttribute<?>[] mode(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static void requireWritable(Path path, SqliteErrors errors) {
        if (Files.isDirectory(path)) {
            throw errors.rejected("this is a folder: name a file in it");
        }
        // SQLite would open it all the same, only to fail at the first write.
        if (!Files.isWritable(path)) {
            throw errors.rejected("cannot be written by this user");
        }
    }

    /**
     * A connection that only reads. An empty file is given its tables first.
     *
     * @throws StoreException if the file is not Holdfast's, too new or too old, or not the one that was there at first
     */
    SqliteSession openReader() throws SQLException {
        return open(true);
    }

    /** A connection for transactions. */
    SqliteSession openWriter() throws SQLException {
        return open(false);
    }

    private SqliteSession open(boolean readOnly) throws SQLException {
        requireUnchanged();
        SqliteSession sqliteSession = connect(readOnly);
        boolean opened = false;
        try {
            requireUnchanged();
            if (sqliteSchema.usable(sqliteSession, errors).isEmpty()) {
                create();
            }
            if (!readOnly) {
                prepareToWrite(sqliteSession);
                sqliteSession.guardedBy(guardOfLog());
            }
            opened = true;
            return sqliteSession;
        } finally {
            if (!opened) {
                sqliteSession.close();
            }
        }
    }

    private void create() throws SQLException {
        try (SqliteSession sqliteSession = connect(false)) {
            prepareToWrite(sqliteSession);
            sqliteSchema.create(sqliteSession, errors);
        }
    }

    /**
     * Brings the file to the newest schema.
     *
     * @return the version that it had before
     * @throws StoreException if the file is not Holdfast's, or too new
     */
    SchemaVersion upgrade() throws SQLException {
        try (SqliteSession reader = connect(true)) {
            // Refuses other files before a connection that writes could change them.
            sqliteSchema.upgradable(reader, errors);
            try (SqliteSession sqliteSession = connect(false)) {
                prepareToWrite(sqliteSession);
                return sqliteSchema.upgrade(sqliteSession, errors);
            }
        }
    }

    /** SQLite keeps the log beside the file itself, not beside a link to it. */
    private FileGuard guardOfLog() {
        Path real;
        try {
            real = path.toRealPath();
        } catch (IOException e) {
            real = path;
        }
        return new FileGuard(log(real), logIndex(real));
    }

    /** @throws StoreException if the path no longer leads to the file that was there at first */
    void requireUnchanged() {
        Path changed = changedFile();
        if (changed != null) {
            throw errors.replaced(changed);
        }
    }

    /** @throws StoreException if that is so of the file, or of the log that {@code writer} has open */
    void requireUnchanged(SqliteSession writer) {
        if (lost == null) {
            lost = writer.changedFile();
        }
        requireUnchanged();
    }

    /** The file that is no longer the one that was opened; null if there is none. */
    @Nullable
    Path changedFile() {
        Path changed = guard.changedFile();
        return changed == null ? lost : changed;
    }

    /** The turns of those that write the file. */
    WriteTurn turn(Duration patience) {
        return WriteTurn.beside(path, patience);
    }

    private SqliteSession connect(boolean readOnly) throws SQLException {
        return SqliteSession.open(uri, readOnly, patience);
    }

    private void prepareToWrite(SqliteSession sqliteSession) throws SQLException {
        sqliteSession.execute("PRAGMA page_size = " + PAGE_BYTES); // of no effect once the file has pages
        String mode = journalMode(sqliteSession);
        if (!mode.equals("wal")) {
            throw errors.rejected("SQLite cannot keep a write-ahead log here, but '" + mode
                    + "': name a file on a local disk of this host");
        }
        sqliteSession.execute("PRAGMA synchronous = " + sqliteDurability.synchronous());
        sqliteSession.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
        // On macOS a sync reaches the disk's cache only, unless asked further. Of no effect elsewhere.
        sqliteSession.execute("PRAGMA fullfsync = ON");
    }

    /**
     * Changing the mode takes the whole file, and here SQLite does not wait for others by itself. Nor does it help to wait
     * in the time of a runtime: the others are other processes.
     */
    private String journalMode(SqliteSession sqliteSession) throws SQLException {
        long patienceNanos = TimeUnit.NANOSECONDS.convert(patience);
        long startNanos = System.nanoTime();
        while (true) {
            try {
                return sqliteSession.text("PRAGMA journal_mode = WAL");
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e) || System.nanoTime() - startNanos > patienceNanos) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
