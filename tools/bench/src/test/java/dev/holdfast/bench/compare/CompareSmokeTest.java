package dev.holdfast.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second of load on every opponent whose server is in Maven or installed; the others are skipped by name. */
@Tag("slow")
class CompareSmokeTest {
    @TempDir
    Path out;

    @Test
    void everyOpponentRunsForASecondWithoutOverlaps() throws Exception {
        CompareOptions options = CompareOptions.parse(List.of("--smoke", "--out", out.toString()), false);

        CompareRun run = new CompareCommand(options, Path.of("opponents").toAbsolutePath()).run();

        assertThat(run.failures()).isEmpty();
        assertThat(run.contestants()).isNotEmpty();
        assertThat(Files.readString(out.resolve("table.md"))).contains(run.contestants());
        assertThat(Files.readString(out.resolve("callers.svg"))).contains("</svg>");
    }
}
