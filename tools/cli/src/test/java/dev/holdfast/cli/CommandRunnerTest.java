package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.TerminalInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid command lines. They run in this JVM, because there are too many for a process each. */
class CommandRunnerTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "aquire x                   | unknown command 'aquire'; did you mean acquire?",
                "acquire                    | missing required parameter: 'NAME'",
                "acquire x --wiat 5s        | unknown option '--wiat' (try: holdfast acquire --help)",
                "acquire x y                | unexpected argument 'y'",
                "acquire x --term 5x        | '5x' (expected: a duration such as 15m",
                "acquire x --term 8d        | term: P8D (expected: > PT0S and <= P7D)",
                "acquire x --term 0         | term: PT0S (expected:",
                "acquire x --term 1s --ttl 2s | --term and one of its aliases",
                "acquire x --wait 5s --no-wait | --wait and --no-wait (expected: one of them)",
                "acquire x --attr k         | attribute: 'k' (expected: NAME=VALUE)",
                "acquire x --attr k=1 --attr k=2 | expected: each name once",
                "acquire -n ~anchors x      | namespace: ~anchors (expected:",
                "renew x nonsense           | token: nonsense (expected: a UUID such as",
                "release x                  | missing required parameter: 'TOKEN'",
                "set x 123e4567-e89b-42d3-a456-426614174000 | nothing to set (expected: NAME=VALUE or --remove NAME)",
                "delete x                   | no terminal to ask for confirmation (expected: --yes)",
                "evict x                    | an eviction needs --force and --reason TEXT",
                "evict x --force --reason y | no terminal to ask for confirmation (expected: --yes)",
                "run x                      | missing required parameter",
                "run x ls                   | no -- before the command (expected: holdfast run NAME [OPTIONS] -- CMD...)",
                "run x --conflict-exit-code 300 -- ls | '300' (expected: 0 to 255)",
                "ls --status gone           | 'gone' (expected: held, free, done, all)",
                "store                      | expected: holdfast store check, holdfast store init, or",
                "store chekc                | unknown command 'chekc'; did you mean check?",
                "fleet                      | fleet (expected: holdfast fleet join, units, status, pause,",
                "fleet jion x               | unknown command 'jion' (try: holdfast fleet --help)",
                "fleet join x               | missing required parameter",
                "fleet join x ls            | no -- before the command (expected: holdfast fleet join NAME [OPTIONS] -- CMD...)",
                "fleet join x --max-units 0 -- ls | '0' (expected: 1 to 1000000)",
                "fleet join x --capacity 0 -- ls | '0' (expected: 1 to 1000000)",
                "fleet join x --label zone -- ls | --label: 'zone' (expected: LABEL=VALUE)",
                "fleet join x --label a=b --label a=c -- ls | --label: 'a=c' (expected: each label once)",
                "fleet join x --spread a=b -- ls | label: a=b (expected: no =)",
                "fleet units x add y --require zone | --require: 'zone' (expected: LABEL=VALUE)",
                "fleet units x add y --prefer =a | --prefer: '=a' (expected: LABEL=VALUE)",
                "fleet units x add y --require z=a --store dynamodb://tab?layout=kcl | --require: layout kcl (expected: no",
                "fleet join x --label z=a --store dynamodb://tab?layout=kcl -- ls | --label: layout kcl (expected: no",
                "fleet join x/y -- ls       | fleet: x/y (expected: no slash)",
                "fleet units x add          | no units (expected: at least one, or -)",
                "fleet units x ls y         | ls takes no units (expected: none)",
                "fleet units x move y       | 'move' (expected: add, rm, reopen, ls)",
                "fleet units x add y --weight 0 | '0' (expected: a number > 0)",
                "fleet units x add y --attr ~a=b | attribute name: ~a (expected: one that does not begin with ~)",
                "fleet status x y           | unexpected argument 'y'",
                "fleet pause x              | missing required parameter: 'UNIT'",
                "fleet pause x nothing      | unit: nothing (expected: units of fleet x)",
                "fleet pause x y --store dynamodb://tab?layout=kcl | fleet pause: layout kcl (expected: a store of",
                "fleet resume x             | no units, or units and --all (expected: UNIT... or --all)",
                "fleet drain x ann          | worker: 'ann' (expected: a worker that is joined; or --absent)",
                "fleet undrain x a --absent | (expected: WORKER... or --absent)",
                "fleet move x y             | (expected: WORKER or --cancel)",
                "fleet move x y ann         | worker: ann (expected: a worker that is joined; there are none)",
                "fleet join x --store dynamodb://tab?layout=kcl --term 11s -- ls | term: PT11S (expected: <= PT10S, which is expire= in",
                "fleet join x --store dynamodb://tab?layout=kcl --once -- ls | --once: layout kcl (expected: no --once",
                "fleet join x --store dynamodb://tab?layout=kcl --by-weight -- ls | --by-weight: layout kcl (expected: no",
                "fleet units x add y --weight 2 --store dynamodb://tab?layout=kcl | --weight: layout kcl (expected: no",
                "bench --callers 0          | '0' (expected: 1 to 10000)",
                "completion tcsh            | shell: tcsh (expected: bash, zsh or fish)",
                "help nothing               | unknown command 'nothing' (expected: run, once",
                "help fleet jion            | unknown command 'fleet jion' (expected: fleet join, fleet units, fleet status, fleet pause,",
                "help store init now        | 'store init' has no subcommands, so there is no help for 'now'",
                "help run x                 | 'run' has no subcommands, so there is no help for 'x'",
                "show x --store nowhere     | store: nowhere (expected: a URL with one of the schemes",
                "show x --store ftp://a:b@c | store: ftp:... (expected: a URL with one of the schemes",
                "--profile none show x      | profile: 'none' (expected: a section of"
            })
    void anInvalidCommandLineIsReportedInOneLineWithTheExpectedForm(String args, String message) {
        assertThat(holdfast(args.split(" "))).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString(UTF_8))
                .startsWith("holdfast: ")
                .contains(message)
                .hasLineCount(1);
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @Test
    void withoutArgumentsItShowsAShortUsage() {
        assertThat(holdfast()).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(UTF_8)).startsWith("usage: holdfast COMMAND").contains("holdfast run NAME -- CMD...");
    }

    @Test
    void everyCommandHasHelpThatNamesItsOptionsAndFitsTheWidth() {
        List<String> names =
                CommandTable.NAMES.stream().filter(it -> !it.equals("awsflock")).toList();
        for (String name : names) {
            out.reset();
            assertThat(holdfast("help", name)).isEqualTo(ExitCode.OK);
            String viaHelp = out.toString(UTF_8);
            out.reset();
            assertThat(holdfast(name, "--help")).isEqualTo(ExitCode.OK);
            assertThat(out.toString(UTF_8)).isEqualTo(viaHelp).contains("Usage: holdfast " + name + " [OPTIONS]");
            assertThat(viaHelp.lines())
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        }
        out.reset();
        assertThat(holdfast("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(UTF_8)).contains(names);
    }

    /** The tests of that module have its commands. */
    @Test
    void awsflockIsUnknownWithoutItsModule() {
        assertThat(holdfast("awsflock")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(UTF_8)).contains("unknown command 'awsflock'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fleet join",
                "fleet units",
                "fleet status",
                "fleet pause",
                "fleet resume",
                "fleet drain",
                "fleet undrain",
                "fleet freeze",
                "fleet thaw",
                "fleet move",
                "store check",
                "store init",
                "store upgrade",
                "token new"
            })
    void helpExplainsASubcommand(String command) {
        assertThat(holdfast(("help " + command).split(" "))).as(err::toString).isEqualTo(ExitCode.OK);
        String viaHelp = out.toString(UTF_8);
        out.reset();
        assertThat(holdfast((command + " --help").split(" "))).isEqualTo(ExitCode.OK);

        assertThat(viaHelp)
                .isEqualTo(out.toString(UTF_8))
                .containsPattern("Usage: (holdfast )?" + command + " \\[OPTIONS]");
    }

    @Test
    void optionsOfAllCommandsMayComeBeforeTheCommand() {
        assertThat(holdfast("-n", "run", "acquire", "x", "--no-wait", "--json"))
                .as(err::toString)
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString(UTF_8)).contains("\"namespace\":\"run\",\"name\":\"x\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version",
                "--version",
                "help",
                "help ls",
                "ls --help",
                "ls",
                "ls --json",
                "ls --watch",
                "show x",
                "show x --json",
                "fleet units x ls --json",
                "fleet status x",
                "fleet freeze x --json",
                "store check",
                "store check --json",
                "token new ann --read *",
                "bench --seconds 1 --callers 1",
                "completion fish",
                "completion bash"
            })
    void outputThatCannotBeWrittenIsAnError(String line) {
        assertThat(holdfast("acquire", "x", "--no-wait")).isEqualTo(ExitCode.OK);
        assertThat(holdfast("fleet", "units", "x", "add", "unit")).isEqualTo(ExitCode.OK);
        err.reset();
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("full");
            }
        });
        CommandConsole console =
                new CommandConsole(full, new PrintStream(err, true, UTF_8), environment(), new TerminalInfo(""));

        assertThat(new CommandRunner(console).run(line.split(" "))).isEqualTo(ExitCode.ERROR);
        assertThat(err.toString(UTF_8))
                .contains("holdfast: cannot write to stdout")
                .hasLineCount(1);
    }

    @Test
    void theHelpNamesEveryKindOfStore() {
        assertThat(holdfast("ls", "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(UTF_8))
                .contains("sqlite:", "postgresql:", "dynamodb:", "http://", "https://", "memory:");
    }

    @Test
    void theVersionHasTwoNames() {
        assertThat(holdfast("--version")).isEqualTo(ExitCode.OK);
        String first = out.toString(UTF_8);
        out.reset();
        assertThat(holdfast("version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(UTF_8)).isEqualTo(first).startsWith("holdfast " + BuildInfo.VERSION);
    }

    @Test
    void quietPrintsOnlyErrors() {
        assertThat(holdfast("-q", "reopen", "x")).isEqualTo(ExitCode.OK);
        assertThat(err.toString(UTF_8)).isEmpty();
        assertThat(holdfast("reopen", "x")).isEqualTo(ExitCode.OK);
        assertThat(err.toString(UTF_8)).contains("'x' is not done");
    }

    @Test
    void verboseShowsAStackTrace() {
        assertThat(holdfast("-v", "renew", "x", "123e4567-e89b-42d3-a456-426614174000"))
                .isEqualTo(ExitCode.HELD);
        assertThat(err.toString(UTF_8)).contains("LeaseLostException").contains("\tat ");
    }

    private int holdfast(String... args) {
        CommandConsole console = new CommandConsole(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                environment(),
                new TerminalInfo(""));
        return new CommandRunner(console).run(args);
    }

    private Map<String, String> environment() {
        return Map.of("HOLDFAST_STORE", "sqlite:" + folder.resolve("leases.db"), "XDG_CONFIG_HOME", folder.toString());
    }
}
