package dev.holdfast.chaos.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a JVM whose wall clock is stepped while it runs. */
@SuppressWarnings("NullAway.Init")
class FakedClocksTest {
    /** More than a busy machine needs between two lines. */
    private static final long SLACK_MILLIS = 60_000;

    @TempDir
    private Path folder;

    private FakedClocks clocks;
    private Process probe;
    private BufferedReader output;

    private record Clocks(long wallMillis, long monotonicMillis, long waitedMillis) {}

    @BeforeEach
    void start() throws IOException {
        Optional<FakedClocks> found = FakedClocks.find(folder);
        if (found.isEmpty()) {
            String skipped =
                    "FakedClocksTest IS SKIPPED: libfaketime is not installed (Debian: apt-get install faketime)";
            System.err.println(skipped);
            abort(skipped);
        }
        clocks = found.orElseThrow();
        ProcessBuilder builder = new ProcessBuilder(JavaProgram.command(ClockProbe.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(clocks.environment(1));
        probe = builder.start();
        output = probe.inputReader();
    }

    @AfterEach
    void stop() {
        if (probe != null) {
            probe.destroyForcibly();
        }
    }

    @Test
    void theWallClockStepsAndTheMonotonicClockDoesNot() throws IOException {
        Clocks before = read();
        assertThat(before.wallMillis()).isCloseTo(System.currentTimeMillis(), within());

        clocks.step(1, Duration.ofHours(1));
        Clocks later = read();
        assertThat(later.wallMillis() - before.wallMillis()).isCloseTo(3_600_000L, within());
        assertThat(later.monotonicMillis() - before.monotonicMillis()).isBetween(0L, SLACK_MILLIS);

        clocks.step(1, Duration.ofMinutes(-30));
        Clocks earlier = read();
        assertThat(earlier.wallMillis() - before.wallMillis()).isCloseTo(-1_800_000L, within());
        assertThat(earlier.monotonicMillis() - later.monotonicMillis()).isBetween(0L, SLACK_MILLIS);
    }

    @Test
    void timedWaitsKeepTheirLength() throws IOException {
        for (int hours = -1; hours <= 1; hours++) {
            clocks.step(1, Duration.ofHours(hours));
            assertThat(read().waitedMillis()).isBetween(ClockProbe.WAIT_MILLIS - 1, SLACK_MILLIS);
        }
    }

    private static Offset<Long> within() {
        return Offset.offset(SLACK_MILLIS);
    }

    private Clocks read() throws IOException {
        probe.outputWriter().write("read\n");
        probe.outputWriter().flush();
        String[] values = String.valueOf(output.readLine()).split(" ", 3);
        return new Clocks(Long.parseLong(values[0]), Long.parseLong(values[1]), Long.parseLong(values[2]));
    }
}
