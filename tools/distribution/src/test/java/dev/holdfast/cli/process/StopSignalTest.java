package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effects of a stop signal: interrupted work is not marked done, and nothing needless is printed. */
class StopSignalTest {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    private static final int MOMENTS = 18;

    /** A well-behaved program: it exits with 0 on a stop signal, although its work is not finished. */
    private static final String POLITE = """
            trap 'exit 0' HUP INT TERM
            echo ready
            while :; do sleep 0.02; done
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Holdfast holdfast;

    @BeforeEach
    void open() {
        holdfast = new Holdfast(folder);
    }

    @ParameterizedTest
    @CsvSource({"INT, true", "TERM, true", "HUP, true", "INT, false", "TERM, false", "HUP, false"})
    void interruptedWorkIsNotMarkedDoneEvenIfItsCommandEndsWithZero(String signal, boolean wholeGroup) {
        Ignored.assumeNot(signal);
        try (Running once = holdfast.startInGroup("once", "a", "--", "sh", "-c", POLITE)) {
            once.awaitOut("ready");
            Holdfast.kill(signal, wholeGroup ? -once.pid() : once.pid());

            Result result = once.result();
            assertThat(result.code()).as(result.err()).isEqualTo(128 + NUMBERS.getOrDefault(signal, 0));
            // The shell that runs the script may print a message, too.
            assertThat(result.err())
                    .endsWith("holdfast: 'a' was not marked done: signal " + NUMBERS.get(signal)
                            + " arrived before the command ended\n");
        }
        assertThat(holdfast.call("show", "a", "--json").line()).contains("\"state\":\"free\"");
    }

    @Test
    void otherSignalsDoNotPreventTheDoneMark() {
        String script = "trap 'exit 0' USR1; echo ready; while :; do sleep 0.02; done";
        try (Running once = holdfast.start("once", "a", "--", "sh", "-c", script)) {
            once.awaitOut("ready");
            once.signal("USR1");
            assertThat(once.result().code()).isZero();
        }
        assertThat(holdfast.call("show", "a", "--json").line()).contains("\"state\":\"done\"");
    }

    @ParameterizedTest
    @CsvSource({"INT, true", "TERM, true", "HUP, true", "TERM, false"})
    void interruptedUnitsOfAFleetAreNotMarkedDone(String signal, boolean wholeGroup) {
        Ignored.assumeNot(signal);
        holdfast.call("fleet", "units", "crew", "add", "x");
        try (Running worker =
                holdfast.startInGroup("fleet", "join", "crew", "--term", "3s", "--once", "--", "sh", "-c", POLITE)) {
            worker.awaitOut("ready");
            Holdfast.kill(signal, wholeGroup ? -worker.pid() : worker.pid());

            Result result = worker.result();
            assertThat(result.code()).as(result.err()).isEqualTo(128 + NUMBERS.getOrDefault(signal, 0));
            assertThat(result.err()).doesNotContain("will be retried");
        }
        assertThat(holdfast.call("fleet", "units", "crew", "ls", "--json").line())
                .contains("\"unit\":\"x\"")
                .doesNotContain("\"state\":\"done\"");
    }

    /** The moments cover a whole call: from before the JVM runs until the call has been waiting for a while. */
    @Test
    void aStopSignalAtAnyMomentOfAWaitEndsTheCommandQuietly() {
        holdfast.call("acquire", "a", "--no-wait");
        long begun = System.nanoTime();
        assertThat(holdfast.run("acquire", "a", "--wait", "1ms").code()).isEqualTo(3);
        long wholeNanos = System.nanoTime() - begun;
        ExecutorService sideBySide = Executors.newFixedThreadPool(3);
        try {
            List<CompletableFuture<Result>> calls = IntStream.range(0, MOMENTS)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> waitUntil(wholeNanos * 5 * i / (2 * MOMENTS), i % 2 == 0), sideBySide))
                    .toList();

            assertThat(calls).allSatisfy(call -> {
                Result result = call.join();
                assertThat(result.code()).isIn(130, 143);
                assertThat(result.out() + result.err()).isEmpty();
            });
        } finally {
            sideBySide.shutdownNow();
        }
    }

    private Result waitUntil(long nanos, boolean terminated) {
        Running call = holdfast.start("acquire", "a", "--wait", "0");
        call.awaitEnd(nanos);
        call.signal(terminated || Ignored.is("INT") ? "TERM" : "INT");
        return call.result();
    }

    @Test
    void ctrlBackslashDoesNotWriteAThreadDumpIntoTheOutputOfTheCommand() {
        try (Running run = holdfast.start("run", "a", "--", "sh", "-c", POLITE)) {
            run.awaitOut("ready");
            run.signal("QUIT");
            // The JVM handles signals one after the other, so the first one has been handled when the second one works.
            run.signal("TERM");

            Result result = run.result();
            assertThat(result.code()).isZero();
            assertThat(result.out().lines().limit(3)).containsExactly("ready");
            assertThat(result.err()).doesNotContain("thread dump");
        }
    }
}
