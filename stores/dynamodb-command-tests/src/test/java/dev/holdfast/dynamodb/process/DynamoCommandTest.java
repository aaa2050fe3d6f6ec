package dev.holdfast.dynamodb.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.Eventually;
import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.dynamodb.process.Command.Result;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands from a missing table to leases, and back. */
class DynamoCommandTest {
    private static final Pattern ACTION = Pattern.compile("dynamodb:([A-Z][A-Za-z]+)");

    @TempDir
    private Path folder;

    private final String table = LocalDynamo.freshTable();

    @Test
    void aMissingTableIsReportedCreatedCheckedAndUsed() {
        Command holdfast = new Command(folder, LocalDynamo.patientUrl(table));

        Result missing = holdfast.run("acquire", "a", "--no-wait");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err())
                .hasLineCount(1)
                .contains("there is no table " + table)
                .contains("holdfast store init --store '" + LocalDynamo.url(table) + "'");
        Result unready = holdfast.run("store", "check");
        assertThat(unready.code()).isEqualTo(1);
        assertThat(unready.out()).contains("error  there is no table");

        assertThat(holdfast.run("store", "init").err())
                .contains("creating the table " + table + ", on demand")
                .contains("the table " + table + " is ready");
        assertThat(holdfast.run("store", "check").line())
                .contains("ok  its key is that of the native layout")
                .contains("ok  idle keys are removed by their time to live")
                .contains("ok  the clock of this machine is near that of DynamoDB");

        String token =
                holdfast.run("acquire", "a", "--no-wait", "--attr", "k=v").line();
        assertThat(holdfast.run("acquire", "a", "--no-wait").code()).isEqualTo(3);
        assertThat(holdfast.run("renew", "a", token).line()).isEqualTo(token);
        assertThat(holdfast.run("ls").out()).contains("a").contains("held");
        assertThat(holdfast.run("show", "a").out()).contains("held");
        assertThat(holdfast.run("release", "a", token).code()).isZero();
        assertThat(holdfast.run("run", "a", "--", "echo", "ran").out()).isEqualTo("ran\n");
        assertThat(holdfast.run("once", "b", "--", "echo", "once").out()).isEqualTo("once\n");
        assertThat(holdfast.run("once", "b", "--", "echo", "twice").out()).isEmpty();
    }

    /** A process takes a lease that is stored as held by a dead process, without having watched it. */
    @Test
    void aOneShotCommandTakesAnExpiredLease() throws InterruptedException {
        Command holdfast = new Command(folder, LocalDynamo.patientUrl(table) + "&skew=3s");
        holdfast.run("store", "init");
        String dead = holdfast.run("acquire", "a", "--no-wait", "--term", "15s").line();

        Eventually.isTrue(() -> holdfast.run("acquire", "a", "--no-wait").code() == 0, "taken over");

        assertThat(holdfast.run("release", "a", dead).code()).isEqualTo(3);
    }

    @Test
    void eachCommandRequestsOnlyTheActionsInItsHelp() {
        try (Recorder recorder = new Recorder(LocalDynamo.endpoint())) {
            Command holdfast = new Command(
                    folder, "dynamodb://" + table + "?region=us-east-1&timeout=60s&endpoint=" + recorder.endpoint());
            assertActionsListed(holdfast, recorder, "store", "init");
            assertActionsListed(holdfast, recorder, "store", "check");
            String token = assertActionsListed(holdfast, recorder, "acquire", "a");
            assertActionsListed(holdfast, recorder, "set", "a", token, "k=v");
            assertActionsListed(holdfast, recorder, "renew", "a", token);
            assertActionsListed(holdfast, recorder, "show", "a");
            assertActionsListed(holdfast, recorder, "ls");
            assertActionsListed(holdfast, recorder, "done", "a", token);
            assertActionsListed(holdfast, recorder, "reopen", "a");
            assertActionsListed(holdfast, recorder, "delete", "a", "--yes");
            String other = assertActionsListed(holdfast, recorder, "acquire", "b");
            assertActionsListed(holdfast, recorder, "release", "b", other);
            assertActionsListed(holdfast, recorder, "run", "b", "--", "true");
            assertActionsListed(holdfast, recorder, "once", "c", "--", "true");
        }
    }

    @Test
    void aTableOfAwsflockIsImportedAndItsLeaseIdIsTheToken() {
        try (Recorder recorder = new Recorder(LocalDynamo.endpoint())) {
            String at = "?region=us-east-1&timeout=60s&endpoint=" + recorder.endpoint();
            String locks = "dynamodb://" + LocalDynamo.freshTable() + at;
            Command flock = new Command(folder, locks + "&layout=awsflock");
            flock.run("store", "init");
            String lease = flock.run("acquire", "deploy").line();
            Command holdfast = new Command(folder, "dynamodb://" + table + at);
            holdfast.run("store", "init");

            assertThat(assertActionsListed(holdfast, recorder, "import", "awsflock", locks))
                    .startsWith("1 rows: 1 added");

            assertThat(holdfast.run("acquire", "deploy", "--no-wait").code()).isEqualTo(3);
            assertThat(holdfast.run("renew", "deploy", lease).line()).isEqualTo(lease);
        }
    }

    private static String assertActionsListed(Command holdfast, Recorder recorder, String... args) {
        boolean inner = args[0].equals("store");
        String help = inner
                ? holdfast.run("store", args[1], "--help").line()
                : holdfast.run("help", args[0]).line();
        Set<String> listed =
                ACTION.matcher(help).results().map(it -> it.group(1)).collect(Collectors.toCollection(TreeSet::new));
        recorder.take();

        String line = holdfast.run(args).line();

        Set<String> requested = recorder.take();
        assertThat(requested).as("requested by %s", Arrays.toString(args)).isNotEmpty();
        assertThat(listed).as("listed by the help of %s", Arrays.toString(args)).containsAll(requested);
        return line;
    }

    @Test
    void withoutCredentialsTheErrorNamesTheRemedy() {
        Command holdfast = new Command(folder, LocalDynamo.url(table))
                .with("AWS_ACCESS_KEY_ID", "")
                .with("AWS_SECRET_ACCESS_KEY", "")
                .with("AWS_CONFIG_FILE", "/nonexistent")
                .with("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");

        Result result = holdfast.run("show", "a");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).hasLineCount(1).contains("no credentials; set AWS_ACCESS_KEY_ID");
    }

    @Test
    void theTableIsPrintedForOtherTools() {
        Command holdfast = new Command(folder, "dynamodb://leases?billing=provisioned&read=3&write=7");

        assertThat(holdfast.run("store", "init", "--print").line())
                .contains("AWS::DynamoDB::Table")
                .contains("ReadCapacityUnits: 3")
                .contains("resource \"aws_dynamodb_table\"")
                .contains("write_capacity = 7");
    }

    @Test
    void unknownParametersAreRejected() {
        Result result = new Command(folder, "dynamodb://leases?regoin=eu-central-1").run("show", "a");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("parameter: regoin (expected: with layout=native one of billing, endpoint,");
    }
}
