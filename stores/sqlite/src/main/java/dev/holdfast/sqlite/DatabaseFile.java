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
 * Database file that the store creates if necessary, and opens connections to once it is known to be Holdfast's.
 *
 * <b>Only SQLite may open the file.</b> When a process closes a file, POSIX drops all locks that the process has on it,
 * including locks taken through other handles. Reading the first bytes would therefore drop the locks of other stores
 * in this process, and the file could be corrupted. So the file is created under a process-wide lock, and inspected
 * through a read-only connection.
 */
final class DatabaseFile {
    private static final String LOG = "-wal";
    private static final Object CREATING = new Object();
    private static final long RETRY_NANOS = 5_000_000;
    /**
     * A commit writes whole pages, and small rows in several indexes change little of each. About four rows fit in one
     * page.
     */
    private static final int PAGE_BYTES = 1024;
    /**
     * The log grows to 8 MB before a checkpoint copies it into the file, so pages that every commit changes are copied
     * only once.
     */
    private static final int CHECKPOINT_PAGES = 8_000;

    private final Path path;
    private final String uri;
    private final SqliteUrl.Durability durability;
    private final SqliteSchema schema;
    private final Duration patience;
    private final SqliteErrors errors;
    /** Taken once, so that a file that later replaces ours is never opened in its place. */
    private final FileGuard guard;
    /** A file beside ours that was deleted or replaced. SQLite has then lost its log for good. */
    private volatile @Nullable Path lost;
    /** Chosen with the first connection; guarded by this. */
    private @Nullable SqliteStatements statements;

    private DatabaseFile(
            Path path, SqliteUrl.Durability durability, SqliteSchema schema, Duration patience, SqliteErrors errors) {
        this.path = path;
        // A URI, because the driver interprets '?' and ':' in a plain name.
        this.uri = "file://" + path.toUri().getRawPath();
        this.durability = durability;
        this.schema = schema;
        this.patience = patience;
        this.errors = errors;
        this.guard = new FileGuard(path);
    }

    /**
     * Returns the file that the URL names, and creates it if it does not exist.
     *
     * @param patience how long SQLite waits for other processes before it gives up
     */
    static DatabaseFile of(
            SqliteUrl url, SqliteSchema schema, Duration patience, SqliteErrors errors, FileSystemTypes types) {
        Path path = url.path();
        requireOneHost(url, errors, types);
        requireNoLogOfADeletedFile(path, errors);
        try {
            if (url.isDefault()) {
                Files.createDirectories(path.resolveSibling(".").normalize(), mode("rwx------"));
            }
            create(path);
        } catch (FileAlreadyExistsException e) {
            requireWritable(path, errors);
        } catch (NoSuchFileException e) {
            throw errors.rejected("the folder " + path.getParent() + " does not exist: create it, or name another", e);
        } catch (IOException e) {
            throw errors.rejected("cannot be created: " + e, e);
        }
        return new DatabaseFile(path, url.durability(), schema, patience, errors);
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
     * Rejects a path that has a log but no file. The log exists while any process has the file open, so the file was
     * deleted under running processes. A new file would grant keys that they still hold.
     */
    static void requireNoLogOfADeletedFile(Path path, SqliteErrors errors) {
        Path log = beside(path, LOG);
        if (Files.exists(log) && Files.notExists(path)) {
            throw errors.rejected("does not exist, but " + log + " does: the file was deleted or moved, perhaps while"
                    + " processes use it. Move it back; or stop these processes, delete the -wal and -shm files too,"
                    + " and try again");
        }
    }

    /** Returns a file that belongs to the database, such as SQLite's log. */
    static Path beside(Path database, String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }

    private static void create(Path path) throws IOException {
        synchronized (CREATING) {
            Files.createFile(path, mode("rw-------"));
        }
    }

    /** File attributes for a new file. SQLite gives its other files the same mode. */
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
        // SQLite would open it anyway, and fail at the first write.
        if (!Files.isWritable(path)) {
            throw errors.rejected("cannot be written by this user");
        }
    }

    /**
     * Opens a read-only connection. An empty file first gets its tables.
     *
     * @throws StoreException if the file is not Holdfast's, too new or too old, or not the one that was there at first
     */
    SqliteSession openReader() throws SQLException {
        return open(true);
    }

    /** Opens a connection for transactions. */
    SqliteSession openWriter() throws SQLException {
        return open(false);
    }

    private SqliteSession open(boolean readOnly) throws SQLException {
        requireUnchanged();
        SqliteSession session = connect(readOnly);
        boolean opened = false;
        try {
            requireUnchanged();
            SchemaVersion found = schema.usable(session, errors);
            if (found.isEmpty()) {
                create();
                found = schema.usable(session, errors);
            }
            session.use(statements(found));
            if (!readOnly) {
                prepareToWrite(session);
                session.guardedBy(guardOfLog());
            }
            opened = true;
            return session;
        } finally {
            if (!opened) {
                session.close();
            }
        }
    }

    /**
     * All connections use the same statements, even if the file is upgraded meanwhile. Otherwise one of them could write
     * what another does not read, and remove it.
     */
    private synchronized SqliteStatements statements(SchemaVersion found) {
        if (statements == null) {
            statements = schema.statements(found);
        }
        return statements;
    }

    private void create() throws SQLException {
        try (SqliteSession session = connect(false)) {
            prepareToWrite(session);
            schema.create(session, errors);
        }
    }

    /**
     * Upgrades the file to the newest schema.
     *
     * @return the version that the file had before
     * @throws StoreException if the file is not Holdfast's, or too new
     */
    SchemaVersion upgrade() throws SQLException {
        try (SqliteSession reader = connect(true)) {
            // Rejects other files before a writing connection could change them.
            schema.upgradable(reader, errors);
            try (SqliteSession session = connect(false)) {
                prepareToWrite(session);
                return schema.upgrade(session, errors);
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
        return new FileGuard(beside(real, LOG), beside(real, "-shm"));
    }

    /** @throws StoreException if the path no longer leads to the file that was there at first */
    void requireUnchanged() {
        Path changed = changedFile();
        if (changed != null) {
            throw errors.replaced(changed);
        }
    }

    /**
     * Also checks the log that {@code writer} has open.
     *
     * @throws StoreException if the file or that log was deleted, moved or replaced
     */
    void requireUnchanged(SqliteSession writer) {
        if (lost == null) {
            lost = writer.changedFile();
        }
        requireUnchanged();
    }

    /** Returns the file that is no longer the one that was opened; null if there is none. */
    @Nullable
    Path changedFile() {
        Path changed = guard.changedFile();
        return changed == null ? lost : changed;
    }

    WriteTurn turn(Duration patience) {
        return WriteTurn.beside(path, patience);
    }

    private SqliteSession connect(boolean readOnly) throws SQLException {
        return SqliteSession.open(uri, readOnly, patience);
    }

    private void prepareToWrite(SqliteSession session) throws SQLException {
        session.execute("PRAGMA page_size = " + PAGE_BYTES); // no effect once the file has pages
        String mode = journalMode(session);
        if (!mode.equals("wal")) {
            throw errors.rejected("SQLite cannot keep a write-ahead log here, but '" + mode
                    + "': name a file on a local disk of this host");
        }
        session.execute("PRAGMA synchronous = " + durability.synchronous);
        session.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
        // On macOS a normal sync reaches only the disk's cache. No effect elsewhere.
        session.execute("PRAGMA fullfsync = ON");
    }

    /**
     * Switches to the write-ahead log. Switching takes the whole file, and SQLite does not wait for other connections
     * here, so this method retries. It waits in real time, not in the time of the environment, because the others are
     * other processes.
     */
    private String journalMode(SqliteSession session) throws SQLException {
        long patienceNanos = TimeUnit.NANOSECONDS.convert(patience);
        long startNanos = System.nanoTime();
        while (true) {
            try {
                return session.text("PRAGMA journal_mode = WAL");
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e) || System.nanoTime() - startNanos > patienceNanos) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }
}
