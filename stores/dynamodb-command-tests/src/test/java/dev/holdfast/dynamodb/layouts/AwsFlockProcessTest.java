package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.LocalDynamo;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** A script that was written for awsflock works unchanged. */
class AwsFlockProcessTest {
    @TempDir
    private Path folder;

    private final ForeignTable table = new ForeignTable("layout=awsflock", "lock_id");

    private AwsFlockProcess awsflock() {
        return new AwsFlockProcess(folder, table.name);
    }

    @Test
    void aLockIsAcquiredRenewedAndReleased() throws Exception {
        AwsFlockProcess awsflock = awsflock();

        String acquired = awsflock.run("acquire", "nightly").line();
        assertThat(UUID.fromString(acquired)).hasToString(acquired);
        Map<String, AttributeValue> item = table.item("nightly");
        assertThat(Tool.text(item, "lease_id")).isEqualTo(acquired);
        assertThat(Tool.text(item, "owner")).isEqualTo("test-host");
        assertThat(Tool.number(item, "expiration_time") - Instant.now().getEpochSecond())
                .isBetween(7_100L, 7_201L);

        AwsFlockProcess.Result refused = awsflock.run("acquire", "nightly", "--no-wait");
        assertThat(refused).isEqualTo(new AwsFlockProcess.Result(3, "", ""));

        String renewed = awsflock.run("renew", "nightly", acquired).line();
        assertThat(renewed).isNotEqualTo(acquired);
        assertThat(Tool.text(table.item("nightly"), "lease_id")).isEqualTo(renewed);
        assertThat(awsflock.run("renew", "nightly", acquired).code()).isEqualTo(3);
        assertThat(awsflock.run("release", "nightly", acquired).code()).isEqualTo(3);

        assertThat(awsflock.run("release", "nightly", renewed)).isEqualTo(new AwsFlockProcess.Result(0, "", ""));
        assertThat(table.item("nightly")).isEmpty();
        assertThat(awsflock.run("release", "nightly", renewed).code()).isEqualTo(3);
        assertThat(awsflock.run("release", "nightly", "no-such-lease").code()).isEqualTo(3);
    }

    @Test
    void theRenewalOfItsReadmeWorksAndOneWithoutOptionsIsForTwoHours() throws Exception {
        AwsFlockProcess awsflock = awsflock().with("HOLDFAST_OWNER", "somebody");
        String first = awsflock.run("acquire", "LockFoo", "--lease-duration", "15 minutes", "--owner", "ann")
                .line();

        String second = awsflock.run("renew", "LockFoo", first, "--lease-duration", "300s", "--owner", "bob")
                .line();
        Map<String, AttributeValue> shortened = table.item("LockFoo");
        assertThat(Tool.text(shortened, "lease_id")).isEqualTo(second);
        assertThat(Tool.number(shortened, "lease_duration")).isEqualTo(300);
        assertThat(Tool.text(shortened, "owner")).isEqualTo("bob");
        assertThat(Tool.number(shortened, "expiration_time") - Instant.now().getEpochSecond())
                .isBetween(180L, 300L);

        awsflock.run("renew", "LockFoo", second).line();
        Map<String, AttributeValue> renewed = table.item("LockFoo");
        assertThat(Tool.number(renewed, "lease_duration")).isEqualTo(7_200);
        assertThat(Tool.text(renewed, "owner")).isEqualTo("test-host");
        assertThat(awsflock.run("renew", "LockFoo", second))
                .as("lost, without a message")
                .isEqualTo(new AwsFlockProcess.Result(3, "", ""));
    }

    @Test
    void theRegionComesFromAwsDefaultRegion() throws Exception {
        AwsFlockProcess awsflock = awsflock().without("AWS_REGION").with("AWS_DEFAULT_REGION", "eu-west-1");

        awsflock.run("acquire", "a").line();
    }

    @Test
    void optionsHaveTheirOldNamesAndForms() throws Exception {
        AwsFlockProcess awsflock = awsflock();

        awsflock.run("acquire", "a", "--lease-duration", "3 minutes", "--owner", "ann")
                .line();
        awsflock.run("acquire", "b", "--expiration", "100hrs", "--wait-time", "5")
                .line();
        awsflock.run("acquire", "c", "--lease-duration=1 day").line();
        awsflock.run("acquire", "d", "--lease-duration", "90").line();

        assertThat(Tool.number(table.item("a"), "lease_duration")).isEqualTo(180);
        assertThat(Tool.text(table.item("a"), "owner")).isEqualTo("ann");
        assertThat(Tool.number(table.item("b"), "lease_duration")).isEqualTo(360_000);
        assertThat(Tool.number(table.item("c"), "lease_duration")).isEqualTo(86_400);
        assertThat(Tool.number(table.item("d"), "lease_duration")).isEqualTo(90);
        AwsFlockProcess.Result waited = awsflock.run("acquire", "a", "--wait-time", "1", "--verbose");
        assertThat(waited.code()).isEqualTo(3);
        assertThat(waited.out()).isEmpty();
        assertThat(waited.err()).contains("ann", "--wait-time").doesNotContain("--wait ");
        assertThat(awsflock.run("acquire", "e", "--lease-duration", "soon").code())
                .isEqualTo(2);
    }

    @Test
    void aTableIsCreatedOnlyOnRequest() throws Exception {
        String name = LocalDynamo.freshTable();
        AwsFlockProcess awsflock = awsflock();

        AwsFlockProcess.Result missing = awsflock.run("acquire", "a", "--tablename", name, "--no-wait");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err())
                .contains("there is no table " + name, "awsflock create-table --tablename " + name)
                .doesNotContain("holdfast store", "dynamodb://");

        AwsFlockProcess.Result created = awsflock.run("create-table", "--tablename", name);
        assertThat(created.code()).as(created.err()).isZero();
        assertThat(created.err()).isEmpty();
        assertThat(created.out())
                .matches("'" + name + "' create in progress\\. Waiting for active status\\.{3,}OK\n"
                        + "Setting TTL config on '" + name + "'\\. Waiting for active status\\.{3,}OK\n");
        AwsFlockProcess.Result again = awsflock.run("create-table", "--tablename", name);
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).contains("the table " + name + " is there already");

        TableDescription made = ForeignTable.CLIENT
                .describeTable(request -> request.tableName(name))
                .table();
        assertThat(made.keySchema())
                .singleElement()
                .satisfies(key -> assertThat(key.attributeName()).isEqualTo("lock_id"));
        assertThat(ForeignTable.CLIENT
                        .describeTimeToLive(request -> request.tableName(name))
                        .timeToLiveDescription()
                        .attributeName())
                .isEqualTo("expiration_time");
        awsflock.run("acquire", "a", "--tablename", name).line();
    }

    @Test
    void helpNamesTheActionsThatAreNeeded() throws Exception {
        for (String command : new String[] {"acquire", "renew", "release", "create-table"}) {
            AwsFlockProcess.Result help = awsflock().run(command, "--help");
            assertThat(help.code()).isZero();
            assertThat(help.out()).contains("awsflock " + command, "dynamodb:");
        }
    }

    @Test
    void aLockOfTheRealAwsflockIsReleasedAndViceVersa() throws Exception {
        AwsFlockScript real = new AwsFlockScript(table, "real", Instant::now);
        AwsFlockProcess awsflock = awsflock();
        String theirs = real.acquire("nightly", 600).orElseThrow();

        assertThat(awsflock.run("acquire", "nightly", "--no-wait").code()).isEqualTo(3);
        assertThat(awsflock.run("release", "nightly", theirs).code()).isZero();
        String ours = awsflock.run("acquire", "nightly").line();

        assertThat(real.acquire("nightly", 600)).isEmpty();
        assertThat(real.release("nightly", ours)).isTrue();
    }
}
