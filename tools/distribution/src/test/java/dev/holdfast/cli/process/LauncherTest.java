package dev.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script, and the archive of the distribution. */
class LauncherTest {
    @TempDir
    private Path folder;

    @Test
    void itNamesEveryLibraryOfTheDistribution() throws IOException {
        String script = Files.readString(Holdfast.COMMAND);
        try (Stream<Path> jars = Files.list(Holdfast.HOME.resolve("lib"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()).filter(name -> name.endsWith(".jar")))
                    .isNotEmpty()
                    .allSatisfy(jar -> assertThat(script).contains("$lib/" + jar));
        }
    }

    @Test
    void itCanBeCalledThroughLinksAndFromAnywhere() throws IOException {
        Path first = Files.createSymbolicLink(folder.resolve("first"), Holdfast.COMMAND);
        Files.createSymbolicLink(folder.resolve("second"), first.getFileName());

        Result result = new Holdfast(folder).shell("./second version && cd / && " + folder + "/first version");

        assertThat(result.out()).hasLineCount(2).startsWith("holdfast ");
    }

    @Test
    void underTheNameAwsflockItRunsAwsflock() throws IOException {
        Files.createSymbolicLink(folder.resolve("awsflock"), Holdfast.COMMAND);

        Result result = new Holdfast(folder).shell("./awsflock acquire --help && ./awsflock");

        assertThat(result.out()).contains("awsflock acquire [OPTIONS] LOCK_ID", "dynamodb:UpdateItem");
        assertThat(result.out()).as("alone").contains("create-table");
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
    }

    @Test
    void theDistributionRunsAnywhereEvenIfItCannotBeWritten() throws IOException {
        Holdfast holdfast = new Holdfast(folder)
                .with("XDG_CACHE_HOME", folder.resolve("cache").toString());
        String archive = System.getProperty("holdfast.archive");
        String java = System.getProperty("java.home");

        Result result =
                holdfast.shell("tar xzf '" + archive + "' && mv holdfast-* app && app/bin/holdfast run a -- echo ran");
        assertThat(result).isEqualTo(new Result(0, "ran\n", ""));
        assertThat(folder.resolve("app/cache" + java)).isNotEmptyDirectory();

        // Root ignores permissions, so a file in place of the folder makes it unwritable.
        Result unwritable = holdfast.shell("rm -r app/cache && touch app/cache && app/bin/holdfast run a -- echo ran");
        assertThat(unwritable).isEqualTo(new Result(0, "ran\n", ""));
    }

    @Test
    void theClassArchiveIsUsed() throws IOException {
        Holdfast holdfast = new Holdfast(folder);
        holdfast.run("version").line();
        Path classes;
        try (Stream<Path> files =
                Files.list(Path.of(Holdfast.HOME.resolve("cache") + System.getProperty("java.home")))) {
            classes = files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        assertThat(Files.size(classes)).isGreaterThan(1_000_000);

        Result result = holdfast.shell("sh -x \"$(command -v holdfast)\" version");
        assertThat(result.err().lines().reduce((a, b) -> b).orElseThrow()).contains("=" + classes);
    }

    @Test
    void aBrokenClassArchiveOnlyMakesTheStartSlower() throws IOException {
        Result prepared = new Holdfast(folder).shell("holdfast version && cp -r '" + Holdfast.HOME + "' app");
        assertThat(prepared.code()).isZero();
        List<Path> archives;
        try (Stream<Path> files = Files.walk(folder.resolve("app/cache"))) {
            archives = files.filter(Files::isRegularFile).toList();
        }
        assertThat(archives).isNotEmpty();
        for (Path archive : archives) {
            Files.delete(archive);
            Files.write(archive, "no archive at all".getBytes(UTF_8));
        }

        Result result = new Holdfast(folder).shell("app/bin/holdfast run a -- echo ran");
        assertThat(result).isEqualTo(new Result(0, "ran\n", ""));
    }

    @Test
    void withoutJavaItReportsThatJavaIsMissing() {
        Result result = new Holdfast(folder)
                .with("JAVA_HOME", "")
                .shell("PATH=/nowhere exec '" + Holdfast.COMMAND + "' version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("holdfast: no Java found (expected: 17 or newer, by JAVA_HOME or the path)\n");
    }

    @Test
    void anOldJavaIsNotEvenStarted() throws IOException {
        Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
        Files.copy(Path.of("/bin/sh"), java);
        Files.writeString(folder.resolve("jdk/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.2\"\n");

        Result result = new Holdfast(folder)
                .with("JAVA_HOME", folder.resolve("jdk").toString())
                .run("version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).startsWith("holdfast: Java 11.0.2, found at ").contains("(expected: 17 or newer");
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException {
        Files.writeString(folder.resolve("complete.bash"), """
                source <(holdfast completion bash)
                complete_line() {
                  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
                  "$(complete -p holdfast | sed 's/.*-F \\([^ ]*\\).*/\\1/')" holdfast "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                  echo "${COMPREPLY[*]}"
                }
                complete_line holdfast re
                complete_line holdfast acquire --no
                complete_line holdfast ls --status ""
                complete_line holdfast store ""
                complete_line holdfast fleet ""
                complete_line holdfast fleet join --o
                """);

        Result result = new Holdfast(folder)
                .shell("exec bash complete.bash 2>/dev/null"); // compopt warns outside of a real line

        List<String> lines = result.out().lines().toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0).split(" ")).contains("renew", "release", "reopen");
        assertThat(lines.get(1)).contains("--no-wait");
        assertThat(lines.get(2).split(" ")).contains("held", "free", "done", "all");
        assertThat(lines.get(3).split(" ")).contains("check", "init", "upgrade");
        assertThat(lines.get(4).split(" ")).contains("join", "units", "status");
        assertThat(lines.get(5)).contains("--once");
    }

    @Test
    void fishHasALinePerCommandAndOption() {
        String script = new Holdfast(folder).run("completion", "fish").line();

        assertThat(script)
                .contains(
                        "complete -c holdfast -n '__fish_use_subcommand' -a 'acquire' -d 'Acquire a lease and print its token.'")
                .contains(
                        "complete -c holdfast -n '__fish_seen_subcommand_from ls' -l status -r -a 'held free done all'")
                .contains(
                        "complete -c holdfast -n '__fish_seen_subcommand_from fleet; and __fish_seen_subcommand_from join' -l once");
    }
}
