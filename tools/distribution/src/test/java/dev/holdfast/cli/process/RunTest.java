package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands under a lease: their environment, signals, and end. */
class RunTest {
    /** A child, a grandchild, and a process with a dead parent. Each records its pid and ignores SIGTERM. */
    private static final String FAMILY = """
            trap 'echo child-signalled' TERM
            sh -c 'trap "echo grandchild-signalled" TERM; echo $$ >>pids; while :; do sleep 0.1; done' &
            (setsid sh -c 'trap "" TERM; echo $$ >>pids; while :; do sleep 0.1; done' &)
            echo $$ >>pids
            echo ready
            while :; do sleep 0.1; done
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Holdfast holdfast;

    @BeforeEach
    void open() {
        holdfast = new Holdfast(folder);
    }

    @Test
    void theCommandFindsItsLeaseInItsEnvironment() {
        Result result = holdfast.run("run", "a", "-n", "jobs", "--", "sh", "-c", """
                echo "$HOLDFAST_NAMESPACE/$HOLDFAST_NAME"
                holdfast renew "$HOLDFAST_NAME" "$HOLDFAST_LEASE_TOKEN" >/dev/null && echo renewed
                [ "$HOLDFAST_TOKEN" = "$HOLDFAST_LEASE_TOKEN" ] && echo same
                [ "$(holdfast show "$HOLDFAST_NAME" --json | sed 's/.*"fence":\\([0-9]*\\).*/\\1/')" = "$HOLDFAST_FENCE" ] && echo fenced
                cd / && holdfast ls""");

        assertThat(result.out()).startsWith("jobs/a\nrenewed\nsame\nfenced\n").contains("jobs/a  held");
        assertThat(result.code()).isZero();
    }

    @Test
    void standardInputGoesToTheCommand() {
        assertThat(holdfast.shell("echo hello | holdfast run a -- cat").out()).isEqualTo("hello\n");
    }

    @Test
    void theLeaseIsRenewedWhileTheCommandRunsAndFreeAfterwards() throws IOException {
        String script = "echo ready; while [ ! -e go ]; do sleep 0.02; done";
        try (Running running = holdfast.start("run", "a", "--term", "1s", "--", "sh", "-c", script)) {
            running.awaitOut("ready");
            assertThat(holdfast.call("acquire", "a", "--wait", "2s").code()).isEqualTo(3);
            Files.createFile(folder.resolve("go"));
            assertThat(running.result().code()).isZero();
        }
        assertThat(holdfast.call("acquire", "a", "--no-wait").code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP", "USR1"})
    void signalsAreForwarded(String signal) {
        Ignored.assumeNot(signal);
        String script = "trap 'echo signalled; exit 9' " + signal + "; echo ready; while :; do sleep 0.1; done";
        try (Running running = holdfast.start("run", "a", "--", "sh", "-c", script)) {
            running.awaitOut("ready");
            running.signal(signal);
            Result result = running.result();
            assertThat(result.out()).isEqualTo("ready\nsignalled\n");
            assertThat(result.code()).isEqualTo(9);
        }
    }

    @Test
    void theExitCodeShowsTheSignalThatEndedTheCommandAsInShells() {
        try (Running running = holdfast.start("run", "a", "--", "sh", "-c", "echo ready; exec sleep 30")) {
            running.awaitOut("ready");
            running.signal("TERM");
            assertThat(running.result().code()).isEqualTo(143);
        }
        assertThat(holdfast.call("acquire", "a", "--no-wait").code()).isZero();
    }

    @Test
    void lossTerminatesTheCommandAndAllProcessesThatItStarted() throws IOException {
        try (Running running = holdfast.start("run", "a", "--term", "2s", "--grace", "1s", "--", "sh", "-c", FAMILY)) {
            running.awaitOut("ready");
            List<Long> family = family();
            holdfast.call("evict", "a", "--force", "--reason", "a test", "--yes");

            Result result = running.result();
            assertThat(result.code()).isEqualTo(5);
            assertThat(result.out()).contains("child-signalled", "grandchild-signalled");
            assertThat(result.err()).contains("holdfast: 'a' was lost: ").contains("the command was terminated");
            assertGone(family);
        }
    }

    @Test
    void ifHoldfastItselfIsKilledTheCommandIsTerminatedAndTheLeaseExpires() throws IOException {
        try (Running running = holdfast.start("run", "a", "--term", "3s", "--grace", "1s", "--", "sh", "-c", FAMILY)) {
            running.awaitOut("ready");
            List<Long> family = family();
            long start = System.nanoTime();
            running.signal("KILL");

            assertThat(holdfast.call("acquire", "a", "--wait", "30s").code()).isZero();
            // The term, its margin, and the time of two Java starts on a busy machine.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(13));
            assertGone(family);
            assertThat(running.out()).contains("child-signalled", "grandchild-signalled");
        }
    }

    @Test
    void theTokenIsNotAnArgumentOfTheProcessSearch() throws IOException {
        Path grep = Files.createDirectories(folder.resolve("bin")).resolve("grep");
        Files.writeString(grep, "#!/bin/sh\necho \"$*\" >>'" + folder + "/arguments'\nexec /bin/grep \"$@\"\n");
        Files.setPosixFilePermissions(grep, PosixFilePermissions.fromString("rwxr-xr-x"));
        String script =
                "PATH='" + folder.resolve("bin") + "':$PATH exec holdfast run a --grace 1s -- sh -c \"$FAMILY\"";
        try (Running running = holdfast.with("FAMILY", "echo $HOLDFAST_TOKEN >token\n" + FAMILY)
                .startShell(script)) {
            running.awaitOut("ready");
            List<Long> family = family();
            running.signal("KILL");
            assertGone(family);
        }
        assertThat(folder.resolve("arguments"))
                .content()
                .contains("environ")
                .doesNotContain(Files.readString(folder.resolve("token")).strip());
    }

    @Test
    void theLeaseIsAlsoFoundInTheEmptyNamespace() throws IOException {
        Path config = Files.createDirectories(folder.resolve("config/holdfast")).resolve("config");
        Files.writeString(config, "namespace=configured\n");
        Result result = holdfast.run(
                "run", "a", "-n", "", "--", "sh", "-c", "holdfast renew \"$HOLDFAST_NAME\" \"$HOLDFAST_TOKEN\"");
        assertThat(result.code()).as(result.err()).isZero();
    }

    /** Its background process shows the lease after the command itself has ended. */
    private static final String DAEMON = """
            command=$$
            (setsid sh -c '
              while kill -0 '$command' 2>/dev/null; do sleep 0.02; done
              holdfast show a --json >state
              echo $$ >pids
              while [ ! -e go ]; do sleep 0.02; done' >/dev/null 2>&1 &)
            exit 7
            """;

    @Test
    void withWaitForDescendantsTheLeaseIsHeldUntilTheyHaveEnded() throws IOException {
        try (Running running = holdfast.start("run", "a", "--wait-for-descendants", "--", "sh", "-c", DAEMON)) {
            Path pids = folder.resolve("pids");
            Eventually.isTrue(() -> lines(pids).size() == 1, () -> "a daemon");
            assertThat(folder.resolve("state")).content().contains("\"state\":\"held\"");
            Files.createFile(folder.resolve("go"));

            assertThat(running.result().code()).isEqualTo(7);
            assertThat(holdfast.call("show", "a", "--json").line()).contains("\"state\":\"free\"");
        }
    }

    @Test
    void aStopSignalAlsoTerminatesTheDescendants() {
        try (Running running = holdfast.start(
                "once", "a", "--wait-for-descendants", "--", "sh", "-c", DAEMON.replace("exit 7", "exit 0"))) {
            Path pids = folder.resolve("pids");
            Eventually.isTrue(() -> lines(pids).size() == 1, () -> "a daemon");
            running.signal("TERM");

            assertThat(running.result().code()).isEqualTo(143);
            assertGone(lines(pids).stream().map(Long::parseLong).toList());
        }
        assertThat(holdfast.call("show", "a", "--json").line()).contains("\"state\":\"free\"");
    }

    @Test
    void aSecondCallGetsTheLeaseWhenTheFirstHasEnded() {
        try (Running first = holdfast.start("run", "a", "--", "sh", "-c", "echo first; sleep 1; echo first >>order");
                Running second = holdfast.start("run", "a", "--wait", "30s", "--", "sh", "-c", "echo second >>order")) {
            assertThat(second.result().code()).isZero();
            assertThat(first.result().code()).isZero();
        }
        assertThat(folder.resolve("order"))
                .content()
                .contains("first", "second")
                .hasLineCount(2);
    }

    @Test
    void aWaitingCallThatIsStoppedLeavesNoLeaseBehind() {
        String token = holdfast.call("acquire", "a", "--no-wait").line();
        try (Running waiting = holdfast.start("acquire", "a", "--wait", "0")) {
            Eventually.isTrue(() -> ProcessHandle.of(waiting.pid()).isPresent(), () -> "a process");
            assertThat(holdfast.run("acquire", "a", "--wait", "500ms").code()).isEqualTo(3);
            waiting.signal("TERM");
            Result result = waiting.result();
            assertThat(result.code()).isEqualTo(143);
            assertThat(result.out()).isEmpty();
        }
        holdfast.call("release", "a", token);
        assertThat(holdfast.call("acquire", "a", "--no-wait").code()).isZero();
    }

    @Test
    void leadershipMovesAndTheCommandRunsOnExactlyOne() {
        String leader = "echo $HOLDFAST_FENCE >>leaders; echo leading; exec sleep 60";
        try (Running first = holdfast.start("elect", "a", "--term", "2s", "--grace", "1s", "--", "sh", "-c", leader)) {
            first.awaitOut("leading");
            try (Running second = holdfast.start("elect", "a", "--term", "2s", "--", "sh", "-c", leader)) {
                assertThat(holdfast.call("acquire", "a", "--wait", "1s").code()).isEqualTo(3);
                assertThat(second.out()).isEmpty();
                first.signal("KILL");
                second.awaitOut("leading");

                // After the eviction it contends again, and leads again.
                holdfast.call("evict", "a", "--force", "--reason", "a test", "--yes");
                second.awaitOut("leading\nleading");
                second.signal("TERM");
                assertThat(second.result().code()).isEqualTo(143);
            }
        }
        assertThat(folder.resolve("leaders")).content().hasLineCount(3);
        assertThat(holdfast.call("show", "a", "--json").line()).contains("\"state\":\"free\"");
    }

    private List<Long> family() throws IOException {
        Path pids = folder.resolve("pids");
        Eventually.isTrue(() -> lines(pids).size() == 3, () -> "three processes: " + lines(pids));
        return lines(pids).stream().map(Long::parseLong).toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertGone(List<Long> pids) {
        Eventually.isTrue(
                () -> pids.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()), () -> pids + " are gone");
    }
}
