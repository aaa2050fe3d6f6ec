package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.StoreSetup.Finding;
import dev.holdfast.spi.StoreSetup.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCheckTest {
    private final SqliteStoreProvider provider = new SqliteStoreProvider();

    @TempDir
    private Path folder;

    @Test
    void aFileThatWasInitialisedIsFine() {
        List<String> progress = new ArrayList<>();
        provider.init(url("a.db"), progress::add);
        provider.init(url("a.db"), progress::add);

        assertThat(progress)
                .containsExactly(
                        "created the file " + folder.resolve("a.db"),
                        "the file is up to date: " + folder.resolve("a.db"));
        assertThat(check("a.db")).allMatch(finding -> finding.level() == Level.OK);
    }

    @Test
    void aFileThatIsNotThereIsToldAndNotCreated() {
        assertThat(worst("a.db")).isEqualTo(Level.WARNING);
        assertThat(folder.resolve("a.db")).doesNotExist();
    }

    @Test
    void aFolderThatIsNotThereIsAnError() {
        assertThat(worst("none/a.db")).isEqualTo(Level.ERROR);
    }

    @Test
    void aFileOfAnotherApplicationIsAnErrorAndLeftAlone() throws SQLException, IOException {
        try (Sql sql = new Sql(folder.resolve("a.db"))) {
            sql.run("CREATE TABLE theirs (x INTEGER)");
        }
        byte[] before = Files.readAllBytes(folder.resolve("a.db"));

        assertThat(check("a.db"))
                .anyMatch(it -> it.level() == Level.ERROR && it.what().contains("another application"));
        assertThat(folder.resolve("a.db")).hasBinaryContent(before);
    }

    @Test
    void relaxedDurabilityIsToldOfWithWhatItRisks() {
        provider.init(url("a.db"), progress -> {});

        assertThat(provider.check(url("a.db") + "?durability=relaxed", Instant::now))
                .anyMatch(it -> it.level() == Level.WARNING && it.what().contains("two holders"));
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
