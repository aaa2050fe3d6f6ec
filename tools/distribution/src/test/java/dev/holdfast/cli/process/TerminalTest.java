package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour on a terminal, which {@code script}, a program of the base system, simulates. */
class TerminalTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Holdfast holdfast;

    @BeforeEach
    void open() {
        holdfast = new Holdfast(folder).with("TERM", "xterm").with("COLUMNS", "");
    }

    @Test
    void aWaitingCommandShowsTheHolder() {
        String token = holdfast.run("acquire", "deploy", "--no-wait", "--owner", "ada@build-7")
                .line();

        try (Running waiting = startOnTerminal("holdfast acquire deploy --wait 0; echo code $?")) {
            waiting.awaitOut("waiting for 'deploy': held by ada@build-7, ");
            waiting.awaitOut(" left, since ");
            holdfast.run("release", "deploy", token);

            String shown = waiting.result().out();
            assertThat(shown).contains("\r\u001b[K").contains("code 0");
            assertThat(shown.substring(shown.lastIndexOf("\u001b[K"))).doesNotContain("waiting");
        }
    }

    @Test
    void theProgressLineIsNotShownWithoutATerminalOrWithQuiet() {
        holdfast.run("acquire", "deploy", "--no-wait").line();

        assertThat(holdfast.run("acquire", "deploy", "--wait", "1s").err())
                .doesNotContain("waiting for")
                .doesNotContain("\r");
        assertThat(onTerminal("holdfast acquire -q deploy --wait 1s").out()).doesNotContain("waiting for");
    }

    @Test
    void tablesFitTheTerminalAndAreWholeInAPipe() {
        String longName = "a-name-that-is-longer-than-a-narrow-terminal-is-wide";
        holdfast.run("acquire", longName, "--no-wait", "--owner", "ada@build-7.example")
                .line();

        Result narrow = onTerminal("stty cols 40; holdfast ls");
        assertThat(narrow.out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(plain(line).length()).isLessThanOrEqualTo(40));
        assertThat(narrow.out()).contains("\u001b[1mNAME").contains("…");
        assertThat(onTerminal("stty cols 40; NO_COLOR=1 holdfast ls").out()).doesNotContain("\u001b[");
        assertThat(onTerminal("stty cols 40; holdfast ls | cat").out())
                .contains(longName)
                .doesNotContain("\u001b[");
    }

    @Test
    void aWatchRefreshesInPlaceUntilItIsStopped() {
        String token = holdfast.run("acquire", "watched", "--no-wait").line();

        try (Running watch = startOnTerminal("sh -c 'echo pid $$ .; exec holdfast ls --watch'; echo code $?")) {
            watch.awaitOut("\u001b[H\u001b[2J\u001b[H");
            watch.awaitOut("watched");
            holdfast.run("release", "watched", token);
            holdfast.run("acquire", "another", "--no-wait");
            watch.awaitOut("another");
            Holdfast.kill("TERM", Long.parseLong(watch.out().split(" ", 3)[1]));

            String shown = watch.result().out();
            assertThat(shown).contains("code 143").doesNotContain("Exception");
            // Redrawn in place, not below: the last screen contains nothing of the first.
            assertThat(shown.substring(shown.lastIndexOf("\u001b[H")))
                    .contains("another")
                    .doesNotContain("watched");
        }
    }

    @Test
    void deletingAsksForConfirmation() {
        holdfast.run("once", "a", "--", "true");

        Result refused = onTerminal("echo n | script -qec 'holdfast delete a' /dev/null; echo code $?");
        assertThat(refused.out())
                .contains("Delete 'a' and its done mark? [y/N]")
                .contains("cancelled; nothing was changed")
                .contains("code 1");
        assertThat(holdfast.run("acquire", "a", "--no-wait").code()).isEqualTo(4);
        Result agreed = onTerminal("echo y | script -qec 'holdfast delete a' /dev/null; echo code $?");
        assertThat(agreed.out()).contains("code 0");
        assertThat(holdfast.run("acquire", "a", "--no-wait").code()).isZero();
    }

    @Test
    void thereIsNoQuestionIfTheRequestWouldFailAnyway() {
        holdfast.call("acquire", "a", "--no-wait", "--owner", "ann");

        Result held = onTerminal("holdfast delete a; echo code $?");
        assertThat(held.out())
                .contains("holdfast: 'a' is held by ann; ")
                .contains("code 3")
                .doesNotContain("[y/N]");
        Result free = onTerminal("holdfast evict b --force --reason test; echo code $?");
        assertThat(free.out())
                .contains("'b' is not held; nothing to evict")
                .contains("code 0")
                .doesNotContain("[y/N]");
    }

    private Result onTerminal(String command) {
        return startOnTerminal(command).result();
    }

    private Running startOnTerminal(String command) {
        return holdfast.with("HOLDFAST_TEST_COMMAND", command)
                .startShell("exec script -qec 'eval \"$HOLDFAST_TEST_COMMAND\"' /dev/null </dev/null");
    }

    private static String plain(String line) {
        return line.replaceAll("\u001b\\[[0-9;]*m", "").strip();
    }
}
