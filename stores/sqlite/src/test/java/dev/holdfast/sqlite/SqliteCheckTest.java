package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.store.Change;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCheckTest {
    private final SqliteStoreProvider provider = new SqliteStoreProvider();

    @TempDir
    private Path folder;

    @Test
    void anInitialisedFileIsFine() {
        List<String> progress = new ArrayList<>();
        provider.init(url("a.db"), progress::add);
        provider.init(url("a.db"), progress::add);

        assertThat(progress)
                .containsExactly(
                        "created the file " + folder.resolve("a.db"),
                        "the file exists and is left as it is: " + folder.resolve("a.db"));
        assertThat(check("a.db")).allMatch(finding -> finding.level() == Level.OK);
    }

    @Test
    void aMissingFileIsReportedAndNotCreated() {
        assertThat(worst("a.db")).isEqualTo(Level.WARNING);
        assertThat(folder.resolve("a.db")).doesNotExist();
    }

    @Test
    void aLogWithoutItsFileIsAnError() throws IOException {
        Files.createFile(folder.resolve("a.db-wal"));

        assertThat(check("a.db"))
                .anyMatch(it -> it.level() == Level.ERROR && it.what().contains("a.db-wal does"));
    }

    @Test
    void aMissingFolderIsAnError() {
        assertThat(worst("none/a.db")).isEqualTo(Level.ERROR);
    }

    @Test
    void aFileOfAnotherApplicationIsAnErrorAndLeftUnchanged() throws SQLException, IOException {
        try (Sql sql = new Sql(folder.resolve("a.db"))) {
            sql.run("CREATE TABLE theirs (x INTEGER)");
        }
        byte[] before = Files.readAllBytes(folder.resolve("a.db"));

        assertThat(check("a.db"))
                .anyMatch(it -> it.level() == Level.ERROR && it.what().contains("another application"));
        assertThat(folder.resolve("a.db")).hasBinaryContent(before);
    }

    @Test
    void aDamagedPageIsAnErrorWithABoundedMessage() throws SQLException, IOException {
        Path file = folder.resolve("a.db");
        try (SqliteStore store = Stores.open(file)) {
            for (int i = 0; i < 20; i++) {
                store.apply(IntStream.range(100 * i, 100 * i + 100)
                        .mapToObj(n -> Change.insert(Entries.held("key-" + n)))
                        .toList());
            }
        }
        assertThat(worst("a.db")).isEqualTo(Level.OK);

        damage(file, "entry_token");

        List<Finding> findings = check("a.db");
        assertThat(findings).filteredOn(it -> it.level() == Level.ERROR).isNotEmpty();
        assertThat(findings)
                .filteredOn(it -> it.level() == Level.ERROR)
                .allMatch(it -> it.what().contains(file.toString()) && it.what().length() < 500)
                .hasSizeLessThanOrEqualTo(4);
    }

    /** Writes noise over every second page, from the root of an index on. */
    private static void damage(Path file, String index) throws SQLException, IOException {
        int pageSize;
        int root;
        try (Sql sql = new Sql(file)) {
            pageSize = Integer.parseInt(sql.ask("PRAGMA page_size"));
            root = Integer.parseInt(sql.ask("SELECT rootpage FROM sqlite_schema WHERE name = '" + index + "'"));
        }
        byte[] content = Files.readAllBytes(file);
        Random noise = new Random(42);
        for (int page = root; page * pageSize <= content.length; page += 2) {
            byte[] bytes = new byte[pageSize];
            noise.nextBytes(bytes);
            System.arraycopy(bytes, 0, content, (page - 1) * pageSize, pageSize);
        }
        Files.write(file, content);
    }

    @Test
    void aFileThatIsNoDatabaseIsAnError() throws IOException {
        Files.writeString(folder.resolve("a.db"), "no database at all, but long enough to look for a header in it\n");

        assertThat(check("a.db"))
                .anyMatch(it -> it.level() == Level.ERROR && it.what().contains("not an SQLite file"));
    }

    @Test
    void tablesThatAnotherToolChangedAreAnError() throws SQLException {
        provider.init(url("a.db"), progress -> {});
        try (Sql sql = new Sql(folder.resolve("a.db"))) {
            sql.run("ALTER TABLE entry RENAME COLUMN holder TO owner");
        }

        assertThat(check("a.db"))
                .anyMatch(it -> it.level() == Level.ERROR && it.what().contains("its tables are not as Holdfast"));
    }

    @Test
    void relaxedDurabilityIsReportedWithItsRisk() {
        provider.init(url("a.db"), progress -> {});

        assertThat(provider.check(url("a.db") + "?durability=relaxed", Instant::now))
                .anyMatch(it -> it.level() == Level.WARNING && it.what().contains("two holders"));
    }

    @Test
    void aSharedFileSystemIsAnErrorUnlessTheUrlPromisesOneHost() {
        Path file = folder.resolve("a.db");
        SqliteUrl any = Stores.url(file);
        SqliteUrl oneHost = new SqliteUrl(file, false, SqliteUrl.Durability.FULL, true);
        for (String type : List.of("nfs4", "cifs", "9p", "fuse.sshfs")) {
            assertThat(SqliteCheck.run(any, BootClock.system(), path -> type))
                    .anyMatch(it ->
                            it.level() == Level.ERROR && it.what().contains("several hosts can share (" + type + ")"));
            assertThat(SqliteCheck.run(oneHost, BootClock.system(), path -> type))
                    .anyMatch(it -> it.level() == Level.WARNING && it.what().contains("hosts=one"))
                    .noneMatch(it -> it.level() == Level.ERROR);
        }
        assertThat(SqliteCheck.run(any, BootClock.system(), path -> "ext4"))
                .noneMatch(it -> it.what().contains("several hosts"));
    }

    private String url(String name) {
        return "sqlite:" + folder.resolve(name);
    }

    private List<Finding> check(String name) {
        return provider.check(url(name), Instant::now);
    }

    private Level worst(String name) {
        return check(name).stream().map(Finding::level).max(Level::compareTo).orElseThrow();
    }
}
