package dev.holdfast.awsflock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CommandRunner;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.TerminalInfo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Command lines of awsflock, as a part of the holdfast command. */
class AwsFlockCommandTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "awsflock acquire           | missing required parameter: 'LOCK_ID' (try: awsflock acquire --help)",
                "awsflock acquire x --lease-duration 8d | --lease-duration: P8D (expected: > PT0S and <= P7D)",
                "awsflock renew x y --expiration 0 | --lease-duration: PT0S (expected: > PT0S and <= P7D)"
            })
    void anInvalidCommandLineIsReportedInAwsflocksTerms(String args, String message) {
        assertThat(holdfast(args.split(" "))).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString(UTF_8))
                .startsWith("holdfast: ")
                .contains(message)
                .hasLineCount(1);
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @Test
    void awsflockWithoutArgumentsShowsItsHelpAsTheOriginalDoes() {
        assertThat(holdfast("awsflock")).isEqualTo(ExitCode.OK);

        assertThat(out.toString(UTF_8)).contains("acquire", "renew", "release", "create-table");
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void theHelpOfAllCommandsListsItAfterToken() {
        assertThat(holdfast("help")).isEqualTo(ExitCode.OK);

        assertThat(out.toString(UTF_8)).containsPattern("(?s)\\n  token .*\\n  awsflock .*\\n  import ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"awsflock", "awsflock acquire", "awsflock renew", "awsflock release", "awsflock create-table"})
    void helpExplainsEveryCommandAndFitsTheWidth(String command) {
        assertThat(holdfast(("help " + command).split(" "))).as(err::toString).isEqualTo(ExitCode.OK);
        String viaHelp = out.toString(UTF_8);
        out.reset();
        assertThat(holdfast((command + " --help").split(" "))).isEqualTo(ExitCode.OK);

        assertThat(viaHelp)
                .isEqualTo(out.toString(UTF_8))
                .containsPattern("Usage: (holdfast )?" + command + " \\[OPTIONS]");
        assertThat(viaHelp.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    private int holdfast(String... args) {
        CommandConsole console = new CommandConsole(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of("XDG_CONFIG_HOME", folder.toString()),
                new TerminalInfo(""));
        return new CommandRunner(console).run(args);
    }
}
