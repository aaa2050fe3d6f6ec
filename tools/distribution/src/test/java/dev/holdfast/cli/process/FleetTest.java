package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fleets of real worker processes: the environment of their commands, and the hand-over of units. */
class FleetTest {
    /** Records in a log when it begins and when it receives SIGTERM, with the names of the worker and the unit. */
    private static final String WORK = """
            trap 'echo "$HOLDFAST_WORKER stops $HOLDFAST_UNIT" >>log; exit 0' TERM
            echo "$HOLDFAST_WORKER begins $HOLDFAST_UNIT" >>log
            echo "begun $HOLDFAST_UNIT"
            while :; do sleep 0.1; done
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Holdfast holdfast;

    private final List<Running> workers = new ArrayList<>();

    @BeforeEach
    void open() {
        holdfast = new Holdfast(folder);
    }

    @AfterEach
    void endAll() {
        workers.forEach(Running::close);
    }

    private Running join(String worker, String script, String... options) {
        String[] start = {"fleet", "join", "crew", "--worker", worker, "--term", "3s", "--grace", "2s"};
        String[] end = {"--", "sh", "-c", script};
        Running running = holdfast.start(
                Stream.of(start, options, end).flatMap(Arrays::stream).toArray(String[]::new));
        workers.add(running);
        return running;
    }

    @Test
    void unitsAreCreatedListedDoneReopenedAndDeleted() {
        assertThat(holdfast.shell("printf 'c\\n\\nd\\n' | holdfast fleet units crew add -")
                        .err())
                .isEqualTo("holdfast: 2 created, 0 already existed\n");
        assertThat(holdfast.call("fleet", "units", "crew", "add", "a", "b", "c", "--attr", "k=v", "--weight", "2.5")
                        .err())
                .isEqualTo("holdfast: 2 created, 1 already existed\n");
        holdfast.call("fleet", "units", "crew", "add", "z", "--after", "a", "--after", "b");

        Result misspelt = holdfast.call("fleet", "units", "crew", "add", "y", "--after", "aa");
        assertThat(misspelt.code()).isEqualTo(2);
        assertThat(misspelt.err()).contains("after: aa (expected: units of fleet crew");

        assertThat(holdfast.call("fleet", "units", "crew", "rm", "c", "nothing").err())
                .isEqualTo("holdfast: 'nothing' does not exist; nothing to delete\n");
        assertThat(holdfast.call("fleet", "units", "crew", "reopen", "d").err())
                .isEqualTo("holdfast: 'd' is not done; nothing to reopen\n");

        List<String> lines =
                holdfast.call("fleet", "units", "crew", "ls").line().lines().toList();
        assertThat(lines.get(0)).startsWith("UNIT").contains("STATUS", "WORKER", "FENCE", "ATTRIBUTES");
        assertThat(lines.subList(1, lines.size()))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("a  ").contains("free", "k=v", "weight=2.5"),
                        line -> assertThat(line).startsWith("b  "),
                        line -> assertThat(line).startsWith("d  "),
                        line -> assertThat(line).startsWith("z  ").contains("after=[\"a\", \"b\"]"));
        assertThat(holdfast.call("fleet", "units", "crew", "ls", "--json").line())
                .startsWith("[{\"unit\":")
                .contains("\"attributes\":{\"k\":\"v\",\"weight\":2.5}")
                .endsWith("]");
        assertThat(holdfast.call("fleet", "units", "crew", "ls", "--status", "done", "--json")
                        .line())
                .isEqualTo("[]");
    }

    @Test
    void theCommandFindsItsUnitInItsEnvironmentAndTheStatusShowsTheWorker() {
        holdfast.call("fleet", "units", "crew", "add", "a", "--attr", "k=v");
        String script = """
                read -r nothing || echo no-input
                echo "$HOLDFAST_FLEET/$HOLDFAST_UNIT $HOLDFAST_WORKER $HOLDFAST_NAMESPACE $HOLDFAST_ATTRIBUTES"
                holdfast fleet units crew ls --json | grep -q "\\"fence\\":$HOLDFAST_FENCE" && echo fenced
                exec sleep 60""";
        Running ann = join("ann", script, "-n", "jobs");
        ann.awaitOut("fenced");
        assertThat(ann.out()).isEqualTo("no-input\ncrew/a ann jobs {\"k\":\"v\"}\nfenced\n");

        awaitStatus("\"workers\":[{\"worker\":\"ann\",\"units\":1,\"waiting\":0,\"leaving\":false,");
        assertThat(status())
                .startsWith("{\"fleet\":\"crew\",\"planner\":\"ann\",\"planAgeMillis\":")
                .contains("\"units\":{\"total\":1,\"held\":1,\"done\":0,\"unplaced\":0,\"paused\":0,\"waiting\":0}");
        assertThat(holdfast.call("fleet", "status", "crew").line())
                .startsWith("fleet    crew\nplanner  ann, planned ")
                .contains("units    1: 1 held, 0 done, 0 unassigned, 0 moving\nworkers  1\n")
                .endsWith("WORKER  UNITS  WAITING\nann     1      0");
        try (Running watch = holdfast.start("fleet", "status", "crew", "--watch", "--json")) {
            Eventually.isTrue(() -> watch.out().lines().count() >= 2, () -> "two lines: " + watch.out());
        }
    }

    @Test
    void aNewWorkerGetsItsShareAndAStoppedWorkerHandsOverAllUnits() {
        holdfast.call("fleet", "units", "crew", "add", "a", "b", "c", "d");
        Running ann = join("ann", WORK);
        awaitStatus("{\"worker\":\"ann\",\"units\":4");
        join("bob", WORK);
        awaitStatus("{\"worker\":\"ann\",\"units\":2", "{\"worker\":\"bob\",\"units\":2");
        assertThat(log().filter(line -> line.startsWith("ann stops"))).hasSize(2);

        ann.signal("TERM");
        Result result = ann.result();
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err())
                .contains("holdfast: joined as 'ann'", "holdfast: leaving 'crew': handing over 2 units");
        assertThat(log().filter(line -> line.startsWith("ann stops"))).hasSize(4);
        awaitStatus("{\"worker\":\"bob\",\"units\":4");
        assertThat(log().filter(line -> line.startsWith("bob stops"))).isEmpty();
    }

    @Test
    void theUnitsOfAKilledWorkerMoveToOthersAndItsCommandsEnd() throws IOException {
        holdfast.call("fleet", "units", "crew", "add", "a", "b");
        String script = "echo $$ >>\"pids-$HOLDFAST_WORKER\"; echo begun; trap '' TERM; while :; do sleep 0.1; done";
        Running ann = join("ann", script);
        Eventually.isTrue(() -> lines("pids-ann").count() == 2, () -> "two commands");
        List<Long> pids = lines("pids-ann").map(Long::parseLong).toList();
        Running bob = join("bob", WORK);
        ann.signal("KILL");
        awaitStatus("\"workers\":[{\"worker\":\"bob\",\"units\":2");
        bob.awaitOut("begun a");
        Eventually.isTrue(
                () -> pids.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()), () -> pids + " are gone");
    }

    @Test
    void aCommandThatEndsIsStartedAgainWhateverItsExitCode() {
        holdfast.call("fleet", "units", "crew", "add", "good", "bad");
        String script = "echo \"ran $HOLDFAST_UNIT\" >>log; [ \"$HOLDFAST_UNIT\" = good ]";
        Running ann = join("ann", script);
        Eventually.isTrue(
                () -> log().filter("ran good"::equals).count() >= 2
                        && log().filter("ran bad"::equals).count() >= 2,
                () -> "each twice: " + log().toList());
        ann.signal("TERM");
        assertThat(ann.result().err())
                .contains(
                        "unit 'good': the command exited with 0; the unit will be retried",
                        "unit 'bad': the command exited with 1; the unit will be retried");
    }

    @Test
    void withOnceAUnitIsDoneWhenItsCommandSucceedsAndRetriedWhenItFails() {
        holdfast.call("fleet", "units", "crew", "add", "first", "flaky");
        holdfast.call("fleet", "units", "crew", "add", "second", "--after", "first");
        String script = """
                echo "ran $HOLDFAST_UNIT" >>log
                [ "$HOLDFAST_UNIT" != flaky ] || [ "$(grep -c 'ran flaky' log)" -ge 2 ]""";
        join("ann", script, "--once");
        awaitStatus("\"units\":{\"total\":3,\"held\":0,\"done\":3,\"unplaced\":0,\"paused\":0,\"waiting\":0}");
        assertThat(log()).containsExactlyInAnyOrder("ran first", "ran flaky", "ran flaky", "ran second");
        assertThat(holdfast.call("fleet", "units", "crew", "reopen", "first").code())
                .isZero();
        Eventually.isTrue(() -> log().filter("ran first"::equals).count() == 2, () -> "again: " + log().toList());
    }

    @Test
    void joiningAFleetWithoutUnitsPrintsANote() {
        assertThat(holdfast.call("fleet", "status", "crew").err())
                .isEqualTo("holdfast: 'crew' has neither units nor workers\n");
        Running ann = join("ann", WORK);
        ann.awaitErr("holdfast: fleet 'crew' has no units yet; waiting for units");
        holdfast.call("fleet", "units", "crew", "add", "late");
        ann.awaitOut("begun late");
    }

    @Test
    void aWorkerTakesNoMoreThanItsMaximum() {
        holdfast.call("fleet", "units", "crew", "add", "a", "b", "c");
        join("ann", WORK, "--max-units", "2");
        awaitStatus("{\"worker\":\"ann\",\"units\":2", "\"unplaced\":1");
    }

    @Test
    void aMissingCommandEndsTheWorker() {
        holdfast.call("fleet", "units", "crew", "add", "a", "b", "c", "d", "e");
        Result result = holdfast.call("fleet", "join", "crew", "--term", "3s", "--", "no-such-command");
        assertThat(result.code()).isEqualTo(127);
        assertThat(result.err())
                .containsOnlyOnce("command not found")
                .contains("holdfast: command not found: no-such-command\n");
    }

    @Test
    void noTwoLiveWorkersHaveTheSameName() {
        join("ann", WORK);
        awaitStatus("{\"worker\":\"ann\"");
        Result second = holdfast.call("fleet", "join", "crew", "--worker", "ann", "--term", "1s", "--", "true");
        assertThat(second.code()).isEqualTo(3);
        assertThat(second.err())
                .isEqualTo(
                        "holdfast: a worker named 'ann' is alive in fleet 'crew'; stop it, or choose another name with"
                                + " --worker\n");
    }

    @Test
    void theStatusOfAFleetWithoutWorkersCountsTheUnits() {
        holdfast.call("fleet", "units", "crew", "add", "a", "b");
        assertThat(status())
                .isEqualTo("{\"fleet\":\"crew\",\"planner\":null,\"planAgeMillis\":null,\"workers\":[],\"moves\":0,"
                        + "\"units\":{\"total\":2,\"held\":0,\"done\":0,\"unplaced\":2,\"paused\":0,\"waiting\":0},"
                        + "\"orders\":{\"freeze\":null,\"paused\":[],\"drained\":[],\"moved\":[]},"
                        + "\"unplaced\":[{\"reason\":\"no_worker\",\"count\":2,\"units\":[]}],\"oldWorkers\":[]}");
        assertThat(holdfast.call("fleet", "status", "crew").line()).contains("planner  none\n");
    }

    private String status() {
        return holdfast.call("fleet", "status", "crew", "--json").line();
    }

    private void awaitStatus(String... parts) {
        String[] last = {""};
        Eventually.isTrue(
                () -> {
                    last[0] = status();
                    return List.of(parts).stream().allMatch(last[0]::contains);
                },
                () -> List.of(parts) + " in " + last[0] + ", log: " + log().toList());
    }

    private Stream<String> log() {
        return lines("log");
    }

    private Stream<String> lines(String file) {
        try {
            Path path = folder.resolve(file);
            return Files.exists(path) ? Files.readAllLines(path).stream() : Stream.empty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
