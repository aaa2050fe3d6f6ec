package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.history.GrantHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteUrlTest {
    private static final Path HOME = Path.of("/home/ann");

    @Test
    void aPathIsUsedUnchanged() {
        assertThat(parse("sqlite:/data/leases.db").path()).isEqualTo(Path.of("/data/leases.db"));
        assertThat(parse("sqlite:///data/leases.db").path()).isEqualTo(Path.of("/data/leases.db"));
        assertThat(parse("SQLITE:/data/a+b c:d.db").path()).isEqualTo(Path.of("/data/a+b c:d.db"));
        assertThat(parse("sqlite:leases.db").path())
                .isEqualTo(Path.of("leases.db").toAbsolutePath());
    }

    @Test
    void aPathIsPercentDecoded() {
        assertThat(parse("sqlite:/data/what%3F%20100%25.db?durability=full").path())
                .isEqualTo(Path.of("/data/what? 100%.db"));
        for (String url : new String[] {"sqlite:/data/100%", "sqlite:/data/%zz.db"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> parse(url))
                    .withMessage(
                            "store: " + url + " (expected: two hex digits after each %, and %25 for a % of the path)");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> parse("sqlite:/data/%00.db"));
    }

    @Test
    void theDefaultPathFollowsTheRulesOfXdg() {
        Path usual = Path.of("/home/ann/.local/state/holdfast/holdfast.db");

        assertThat(parse("sqlite:")).isEqualTo(new SqliteUrl(usual, true, SqliteUrl.Durability.FULL, false));
        assertThat(parse("sqlite:?durability=relaxed"))
                .isEqualTo(new SqliteUrl(usual, true, SqliteUrl.Durability.RELAXED, false));
        assertThat(SqliteUrl.parse("sqlite:", Map.of("XDG_STATE_HOME", "/state"), HOME)
                        .path())
                .isEqualTo(Path.of("/state/holdfast/holdfast.db"));
        for (String ignored : new String[] {"", "relative/state"}) {
            assertThat(SqliteUrl.parse("sqlite:", Map.of("XDG_STATE_HOME", ignored), HOME)
                            .path())
                    .isEqualTo(usual);
        }
    }

    @Test
    void durabilityIsFullUnlessRelaxedIsRequested() {
        assertThat(parse("sqlite:/a").durability()).isEqualTo(SqliteUrl.Durability.FULL);
        assertThat(parse("sqlite:/a?durability=full").durability()).isEqualTo(SqliteUrl.Durability.FULL);
        assertThat(parse("sqlite:/a?durability=relaxed").durability()).isEqualTo(SqliteUrl.Durability.RELAXED);
    }

    @Test
    void onlyTheUrlPromisesOneHost() {
        assertThat(parse("sqlite:/a").isOneHost()).isFalse();
        assertThat(parse("sqlite:/a?hosts=one").isOneHost()).isTrue();
        assertThat(parse("sqlite:/a?hosts=one&durability=relaxed"))
                .isEqualTo(new SqliteUrl(Path.of("/a"), false, SqliteUrl.Durability.RELAXED, true));
        for (String twice : new String[] {"hosts=one&hosts=one", "durability=full&durability=relaxed"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> parse("sqlite:/a?" + twice));
        }
    }

    @Test
    void theLengthOfHistoriesIsANumberUpToFifty() {
        assertThat(parse("sqlite:/a").history()).isEqualTo(GrantHistory.USUAL_LINES);
        assertThat(parse("sqlite:/a?history=0").history()).isZero();
        assertThat(parse("sqlite:/a?durability=relaxed&history=50").history()).isEqualTo(50);
        for (String bad : new String[] {"history=51", "history=-1", "history=", "history=five"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> parse("sqlite:/a?" + bad))
                    .withMessageContaining("0 to 50");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> parse("sqlite:/a?history=5&history=6"));
    }

    @Test
    void unknownPartsAreRejected() {
        for (String query : new String[] {
            "", "durability", "durability=", "durability=none", "mode=ro", "DURABILITY=full", "hosts=two", "hosts=one&"
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> parse("sqlite:/a?" + query))
                    .withMessage("store parameter: " + (query.isEmpty() || query.endsWith("&") ? "\"\"" : query)
                            + " (expected: durability=full, durability=relaxed, hosts=one or history=N)");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("sqlite::memory:"))
                .withMessageContaining("memory:");
    }

    @Test
    void aClientIsOpenedByUrlWithAnyCharactersInThePath(@TempDir Path folder) throws IOException {
        Path odd = Files.createDirectory(folder.resolve("a?b#c%41 'd' & e:f"));
        String url = "sqlite:" + odd.toString().replace("%", "%25").replace("?", "%3F") + "/x%3Fy.db";

        try (Leases first = Holdfast.open(url);
                Leases second = Holdfast.open(url)) {
            assertThat(first.tryAcquire("a").isGranted()).isTrue();
            assertThat(second.tryAcquire("a").isGranted()).isFalse();
        }
        assertThat(odd.resolve("x?y.db")).exists();
    }

    private static SqliteUrl parse(String url) {
        return SqliteUrl.parse(url, Map.of(), HOME);
    }
}
