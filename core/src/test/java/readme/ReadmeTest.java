package readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The first program of the README compiles, and prints the output shown there. */
class ReadmeTest {
    @Test
    void theFirstProgramIsTheOneInTheReadme() throws IOException {
        String source = Files.readString(Path.of("src/test/java/readme/FirstLease.java"));
        String program = source.replaceFirst("package readme;\\s+", "").strip();

        assertThat(Files.readString(Path.of("../README.md"))).contains("```java\n" + program + "\n```");
    }

    @Test
    void theFirstProgramPrintsTheOutputInTheReadme() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            FirstLease.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        String output = said.toString(StandardCharsets.UTF_8).strip();
        assertThat(Files.readString(Path.of("../README.md"))).contains("```\n" + output + "\n```");
        assertThat(output).contains("mine, held: true", "meanwhile: true", "afterwards: true");
    }
}
