package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell commands of the README, one after the other. */
class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    @Test
    void theCommandsOfTheReadmeWorkAsDescribed() throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher found = BLOCK.matcher(Files.readString(Path.of("..", "..", "README.md")));
        while (found.find()) {
            blocks.add(found.group(1));
        }
        assertThat(blocks).hasSize(4);
        assertThat(blocks.get(0)).isEqualTo("./holdfast run hello -- echo \"I hold the lease\"\n");
        Files.writeString(folder.resolve("five-minutes"), "set -eu\n" + String.join("echo ---\n", blocks));

        Result result = new Holdfast(folder).shell("ln -s \"$(command -v holdfast)\" holdfast && exec sh five-minutes");

        assertThat(result.code()).as(result.err()).isZero();
        String[] outputs = result.out().split("---\n", -1);
        assertThat(outputs[0]).isEqualTo("I hold the lease\n");
        assertThat(outputs[1]).matches("exit code 3: [^\n]+\n[0-9a-f-]{36}\n");
        assertThat(outputs[2]).isEqualTo("importing inbox/a.csv\nimporting inbox/b.csv\nexit code 4: done before\n");
        assertThat(outputs[3])
                .containsPattern("import/inbox/a.csv +done")
                .containsPattern("hello +free")
                .containsPattern("nightly +free");
    }
}
