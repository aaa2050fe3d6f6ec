package dev.holdfast.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeployTest {
    private static final Path DISTRIBUTION = Path.of(System.getProperty("holdfast.distribution"));

    @TempDir
    private Path folder;

    @Test
    void theScriptDeploysOneAtATimeAndRejectsOlderDeployments() throws Exception {
        assumeThat(DISTRIBUTION.resolve("bin/holdfast"))
                .as("the command, which cli builds before this module")
                .exists();
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(script("release-" + i));
        }
        for (Process process : all) {
            assertEndsWith(0, process);
        }
        assertThat(folder.resolve("target/log")).content().hasLineCount(3);
        String last = Files.readString(folder.resolve("target/log"))
                .strip()
                .lines()
                .toList()
                .get(2);
        assertThat(folder.resolve("target/release")).hasContent(last);

        Files.writeString(folder.resolve("target/fence"), Long.toString(Long.MAX_VALUE));
        Process late = script("too-late");
        assertEndsWith(1, late);
        assertThat(folder.resolve("target/release")).hasContent(last);
        assertThat(folder.resolve("out")).content().contains("rejected: a later deployment");
    }

    private Process script(String release) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("deploy.sh").toAbsolutePath().toString(), release, "target")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("out").toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().put("HOLDFAST_STORE", url());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().merge("PATH", DISTRIBUTION + "/bin", (path, ours) -> ours + ":" + path);
        return builder.start();
    }

    private void assertEndsWith(int code, Process process) throws Exception {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ends").isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("out")))
                .isEqualTo(code);
    }

    @Test
    void theProgramRunsItsCommandUnderTheLeaseWithAFenceThatGrows() throws Exception {
        try (Leases leases = Holdfast.open(url())) {
            for (int i = 0; i < 2; i++) {
                ProcessBuilder command = new ProcessBuilder("/bin/sh", "-c", "echo $HOLDFAST_FENCE >>fences; exit 7")
                        .directory(folder.toFile());
                assertThat(DeployLock.deploy(leases, "shop", command)).isEqualTo(7);
            }
        }
        List<Long> fences = Files.readAllLines(folder.resolve("fences"), UTF_8).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(fences).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    private String url() {
        return "sqlite:" + folder.resolve("leases.db");
    }
}
