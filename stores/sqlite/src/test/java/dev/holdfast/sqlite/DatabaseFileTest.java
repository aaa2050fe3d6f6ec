package dev.holdfast.sqlite;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.StoreException;
import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.store.Change;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files are accepted, how they are created, and that other files are left unchanged. */
class DatabaseFileTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("leases.db");
    }

    @Test
    void allFilesAreTheOwnersAlone() throws IOException {
        try (SqliteStore store = Stores.open(file)) {
            assertWorks(store);
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files)
                        .extracting(it -> it.getFileName() + " " + permissions(it))
                        .containsExactlyInAnyOrder(
                                "leases.db rw-------",
                                "leases.db-wal rw-------",
                                "leases.db-shm rw-------",
                                "leases.db-turn rw-------");
            }
        }
    }

    @Test
    void theFoldersOfTheDefaultPathAreCreatedForTheOwnerAlone() {
        Path path = folder.resolve("state/holdfast/holdfast.db");

        SqliteStore.open(new SqliteUrl(path, true, SqliteUrl.Durability.FULL, false), BootClock.system())
                .close();
        SqliteStore.open(new SqliteUrl(path, true, SqliteUrl.Durability.FULL, false), BootClock.system())
                .close();

        assertThat(permissions(folder.resolve("state"))).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("state/holdfast"))).isEqualTo("rwx------");
        assertThat(permissions(path)).isEqualTo("rw-------");
    }

    @Test
    void noOtherFolderIsCreated() {
        Path missing = folder.resolve("missing");

        StoreException refused = refused(missing.resolve("leases.db"));

        assertThat(refused)
                .hasMessage(missing.resolve("leases.db") + ": the folder " + missing
                        + " does not exist: create it, or name another");
        assertThat(missing).doesNotExist();
    }

    @Test
    void aPathThatCannotBeAFileIsRejected() {
        assertThat(refused(folder)).hasMessageContaining("this is a folder");
        assertThat(refused(Path.of("/proc/holdfast.db"))).hasMessageStartingWith("/proc/holdfast.db: ");
    }

    @Test
    void aFileOnASharedFileSystemIsRejectedUnlessTheUrlPromisesOneHost() {
        for (String type : List.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")) {
            StoreException refused = catchThrowableOfType(
                    StoreException.class, () -> openOn(type, false).close());

            assertRejected(refused, file + ": is on a file system that several hosts can share (" + type + ")");
            assertThat(refused)
                    .hasMessageContaining("name a file on a local disk")
                    .hasMessageContaining("?hosts=one");
            assertThat(file).doesNotExist();
        }
        SqliteUrl inNewFolder =
                new SqliteUrl(folder.resolve("state/holdfast/holdfast.db"), true, SqliteUrl.Durability.FULL, false);
        assertThat(catchThrowableOfType(
                        StoreException.class,
                        () -> SqliteStore.open(
                                inNewFolder,
                                BootClock.system(),
                                SqliteStore.PATIENCE,
                                SqliteSchema.CURRENT,
                                path -> path.equals(folder) ? "nfs" : "")))
                .hasMessageContaining("several hosts can share (nfs)");
        openOn("nfs", true).close();
        openOn("ext4", false).close();
        openOn("", false).close();
        assertThat(FileSystemTypes.system().typeOf(folder)).isNotEmpty();
    }

    private SqliteStore openOn(String type, boolean isOneHost) {
        SqliteUrl url = new SqliteUrl(file, false, SqliteUrl.Durability.FULL, isOneHost);
        return SqliteStore.open(url, BootClock.system(), SqliteStore.PATIENCE, SqliteSchema.CURRENT, path -> type);
    }

    @Test
    void durabilityIsAsTheUrlRequests() throws SQLException {
        SqliteErrors errors = new SqliteErrors(file, SqliteStore.PATIENCE);
        for (SqliteUrl.Durability durability : SqliteUrl.Durability.values()) {
            SqliteUrl url = new SqliteUrl(file, false, durability, false);
            try (SqliteSession writer = DatabaseFile.of(
                            url, SqliteSchema.CURRENT, SqliteStore.PATIENCE, errors, FileSystemTypes.system())
                    .openWriter()) {
                // SQLite's values: 2 is FULL and 1 is NORMAL.
                assertThat(writer.number("PRAGMA synchronous"))
                        .isEqualTo(durability == SqliteUrl.Durability.FULL ? 2 : 1);
                assertThat(writer.text("PRAGMA journal_mode")).isEqualTo("wal");
            }
        }
    }

    @Test
    void anEmptyFileIsAccepted() throws IOException, SQLException {
        Files.createFile(file);
        try (SqliteStore store = Stores.open(file)) {
            assertWorks(store);
        }

        Path emptied = folder.resolve("emptied.db");
        try (Sql sql = new Sql(emptied)) {
            sql.run("CREATE TABLE t (a)", "DROP TABLE t", "VACUUM");
        }
        try (SqliteStore store = Stores.open(emptied)) {
            assertWorks(store);
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsRejectedAndLeftUnchanged() throws IOException {
        byte[] noise = new byte[20_000];
        new Random(42).nextBytes(noise);
        byte[] disguised = noise.clone();
        System.arraycopy("SQLite format 3\0".getBytes(US_ASCII), 0, disguised, 0, 16);

        for (byte[] content : List.of("hello\n".getBytes(US_ASCII), noise, disguised)) {
            Files.write(file, content);

            assertRefusedAndUnchanged("not an SQLite file, or damaged; it is left as it is");
        }
    }

    @Test
    void theDatabaseOfAnotherApplicationIsRejectedAndLeftUnchanged() throws IOException, SQLException {
        for (String statement : List.of(
                "CREATE TABLE entry (namespace TEXT, name TEXT)",
                "PRAGMA user_version = 1",
                "PRAGMA application_id = 7",
                "PRAGMA application_id = " + SchemaVersion.APPLICATION_ID)) {
            Files.deleteIfExists(file);
            try (Sql sql = new Sql(file)) {
                sql.run(statement);
            }

            assertRefusedAndUnchanged("an SQLite file of another application; it is left as it is");
        }
    }

    /** A process that opens such a file for writing would move the log into it when closing. */
    @Test
    void theDatabaseOfAnotherApplicationKeepsItsLog() throws IOException, SQLException {
        Path source = folder.resolve("source.db");
        try (Sql sql = new Sql(source)) {
            sql.run("PRAGMA journal_mode = WAL", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)");
            Files.copy(source, file);
            Files.copy(folder.resolve("source.db-wal"), folder.resolve("leases.db-wal"));
        }
        byte[] log = Files.readAllBytes(folder.resolve("leases.db-wal"));
        assertThat(log).isNotEmpty();

        assertRefusedAndUnchanged("an SQLite file of another application; it is left as it is");

        assertThat(Files.readAllBytes(folder.resolve("leases.db-wal"))).isEqualTo(log);
    }

    @Test
    void aFileOfANewerHoldfastIsRejectedAndLeftUnchanged() throws IOException, SQLException {
        Stores.open(file).close();
        try (Sql sql = new Sql(file)) {
            sql.run("PRAGMA user_version = 99");
        }

        assertRefusedAndUnchanged(
                "written by a newer Holdfast: its schema needs version 99 to write, and this Holdfast has 3");
    }

    @Test
    void aDamagedPageIsReportedAndNotRepaired() throws IOException, SQLException {
        try (SqliteStore store = Stores.open(file)) {
            assertWorks(store);
        }
        int pageSize;
        int page;
        try (Sql sql = new Sql(file)) {
            pageSize = Integer.parseInt(sql.ask("PRAGMA page_size"));
            page = Integer.parseInt(sql.ask("SELECT rootpage FROM sqlite_schema WHERE name = 'entry_key'"));
        }
        byte[] damage = new byte[pageSize];
        new Random(42).nextBytes(damage);
        byte[] content = Files.readAllBytes(file);
        System.arraycopy(damage, 0, content, (page - 1) * pageSize, pageSize);
        Files.write(file, content);

        try (SqliteStore store = Stores.open(file)) {
            StoreException error = catchThrowableOfType(
                    StoreException.class,
                    () -> store.read(List.of(Entries.held("works").key())));
            assertRejected(error, "not an SQLite file, or damaged");
        }

        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    @Test
    void aDamagedEntryIsNamedAndTheOthersAreRead() throws SQLException {
        try (SqliteStore store = Stores.open(file);
                Sql sql = new Sql(file)) {
            assertWorks(store);
            store.apply(List.of(Change.insert(Entries.held("bad"))));
            for (String damage : List.of("version = x'00'", "state = 7", "holder = NULL", "beat = NULL")) {
                sql.run("UPDATE entry SET " + damage + " WHERE name = 'bad'");

                StoreException error = catchThrowableOfType(
                        StoreException.class,
                        () -> store.read(List.of(Entries.held("bad").key())));

                assertRejected(error, "the entry /bad is damaged");
            }
            assertThat(store.read(List.of(Entries.held("works").key())).get(0)).isPresent();
        }
    }

    private void assertRefusedAndUnchanged(String message) throws IOException {
        byte[] before = Files.readAllBytes(file);

        assertRejected(refused(file), message);

        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private static StoreException refused(Path path) {
        return catchThrowableOfType(
                StoreException.class, () -> Stores.open(path).close());
    }

    private static void assertRejected(StoreException error, String message) {
        assertThat(error).hasMessageContaining(message);
        assertThat(error.isRetryable()).isFalse();
        assertThat(error.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED);
    }

    private static void assertWorks(SqliteStore store) {
        assertThat(store.apply(List.of(Change.insert(Entries.held("works"))))).containsExactly(WriteOutcome.APPLIED);
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
