package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names with unusual characters: accepted or rejected, never changed. */
class NamesTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Holdfast holdfast;

    @BeforeEach
    void open() {
        holdfast = new Holdfast(folder);
    }

    @Test
    void aNameMayContainAnyText() {
        List<String> names = List.of(
                "two words",
                " edges ",
                "it's \"quoted\" `so` $HOME \\",
                "Schlüssel/鍵/🔑",
                "line\nbreak\ttab",
                "\u001b[31mred",
                "run",
                "@file",
                "a=b",
                "*");
        for (String name : names) {
            assertThat(holdfast.run("run", name, "--", "sh", "-c", "printf %s \"$HOLDFAST_NAME\"")
                            .out())
                    .isEqualTo(name);
            assertThat(holdfast.call("acquire", name, "--no-wait").code()).isZero();
        }
        String json = holdfast.run("ls", "--json").out();
        assertThat(json)
                .contains("\"it's \\\"quoted\\\" `so` $HOME \\\\\"", "\"line\\nbreak\\ttab\"", "\"Schlüssel/鍵/🔑\"");
        Result table = holdfast.run("ls");
        assertThat(table.out())
                .hasLineCount(names.size() + 1)
                .contains("line\\nbreak\\ttab")
                .doesNotContain("\u001b");
    }

    @Test
    void namesThatLookLikeOptionsGoAfterTwoDashes() {
        assertThat(holdfast.run("acquire", "--no-wait", "--", "-rf").code()).isZero();
        assertThat(holdfast.run("ls").out()).contains("-rf");
    }

    @Test
    void theLocaleDoesNotChangeAName() {
        holdfast.with("LC_ALL", "C").run("acquire", "é", "--no-wait").line();

        assertThat(holdfast.run("acquire", "é", "--no-wait").code()).isEqualTo(3);
        assertThat(holdfast.with("LC_ALL", "C")
                        .run("run", "x", "--", "sh", "-c", "echo $LC_ALL")
                        .out())
                .isEqualTo("C\n");
        assertThat(holdfast.run("ls", "--json").line()).contains("\"é\"");
    }

    @Test
    void invalidNamesAreRejected() {
        assertThat(holdfast.run("acquire", "", "--no-wait").code()).isEqualTo(2);
        assertThat(holdfast.run("acquire", "x".repeat(1025), "--no-wait").code())
                .isEqualTo(2);
        Result latin1 = holdfast.shell("holdfast acquire \"$(printf '\\351')\" --no-wait");
        assertThat(latin1.code()).isEqualTo(2);
        assertThat(latin1.err()).contains("UTF-8").hasLineCount(1);
        assertThat(holdfast.run("ls", "--status", "all").out()).isEmpty();
    }

    @Test
    void aTableIsSortedByName() {
        holdfast.call("acquire", "b", "--no-wait");
        holdfast.call("acquire", "c", "--no-wait");
        holdfast.call("acquire", "a", "--no-wait");

        assertThat(holdfast.call("ls").out().lines().skip(1).map(line -> line.substring(0, 1)))
                .containsExactly("a", "b", "c");
    }
}
