package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.dynamodb.DynamoStoreProvider;
import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportRun;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.importing.SourceRow.UnreadableRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Imports tables of other tools, filled as the tools fill them, into a store of Holdfast's own. */
class ForeignImportTest {
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults();

    private final Leases leases = Holdfast.open("memory:");
    private final Map<String, String> reasons = new HashMap<>();

    @AfterEach
    void close() {
        leases.close();
    }

    private ImportCounts run(ForeignLayout layout, ForeignTable table, String namespace) {
        return run(layout, LocalDynamo.patientUrl(table.name), namespace, leases);
    }

    private ImportCounts run(ForeignLayout layout, String url, String namespace, Leases into) {
        reasons.clear();
        try (ImportSource source = ForeignRows.open(layout, url, new CallerThreadEnvironment(), namespace)) {
            ImportRun.Step step = ((ImportingLeases) into).importTarget()::write;
            return new ImportRun(source, step, new Reasons()).run();
        }
    }

    private final class Reasons implements ImportRun.Observer {
        @Override
        public void unreadable(UnreadableRow row) {
            reasons.put(row.name(), row.reason());
        }

        @Override
        public void conflicting(ImportedRow row) {
            reasons.put(row.key().toString(), "conflict");
        }

        @Override
        public void progressed(ImportCounts counts) {}
    }

    private static void put(ForeignTable table, Map<String, AttributeValue> item) {
        ForeignTable.CLIENT.putItem(request -> request.tableName(table.name).item(item));
    }

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(String.valueOf(number));
    }

    private LeaseStatus status(Key key) {
        return leases.get(key).orElseThrow();
    }

    @Test
    void locksOfAwsflockAreHeldUntilTheyExpireAndRenewedByTheirLeaseId() {
        ForeignTable table = new ForeignTable("layout=awsflock", "lock_id");
        String lease = UUID.randomUUID().toString();
        put(table, flock("live", lease, 600, "host-1"));
        put(table, flock("just expired", UUID.randomUUID().toString(), -2, "host-1"));
        put(table, flock("expired", UUID.randomUUID().toString(), -60, "host-1"));
        put(table, flock("eight days", UUID.randomUUID().toString(), 8 * 24 * 3600, "host-1"));
        put(table, flock("long owner", UUID.randomUUID().toString(), 600, "h".repeat(300)));
        put(table, flock("n".repeat(1500), UUID.randomUUID().toString(), 600, "host-1"));
        put(table, flock("a\0b", UUID.randomUUID().toString(), 600, "host-1"));
        put(table, Map.of("lock_id", text("no lock at all"), "colour", text("blue")));

        ImportCounts counts = run(ForeignLayout.AWSFLOCK, table, "locks");

        assertThat(counts.of(ImportOutcome.ADDED)).isEqualTo(2);
        assertThat(counts.of(ImportOutcome.EMPTY)).isEqualTo(1);
        assertThat(reasons).hasSize(4).containsKeys("eight days", "long owner", "n".repeat(1500), "a\0b");
        assertThat(reasons.get("eight days")).startsWith("time left: ");
        assertThat(reasons.get("long owner")).startsWith("holder: ");
        assertThat(reasons.get("a\0b")).endsWith("(expected: no NUL character)");
        Key key = Key.of("locks", "live");
        assertThat(leases.tryAcquire(key, OPTIONS)).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(status(key).holder()).contains(Holder.of("host-1"));
        assertThat(status(key).remaining()).isBetween(Duration.ofMinutes(9), Duration.ofSeconds(610));
        assertThat(leases.renew(key, Token.parse(lease)).remaining()).isPositive();
        assertThat(run(ForeignLayout.AWSFLOCK, table, "locks").of(ImportOutcome.NEWER))
                .isEqualTo(1);
    }

    private static Map<String, AttributeValue> flock(String lock, String lease, long seconds, String owner) {
        return Map.of(
                "lock_id", text(lock),
                "lease_id", text(lease),
                "lease_duration", number(7200),
                "owner", text(owner),
                "expiration_time", number(Instant.now().getEpochSecond() + seconds));
    }

    @Test
    void locksOfTableTheoryKeepTheirTwoKeysAndOtherItemsAreSkipped() {
        ForeignTable table = new ForeignTable("layout=tabletheory", "pk", "sk");
        String token = UUID.randomUUID().toString();
        put(table, lock("order-1", "LOCK", token, 600));
        put(table, lock("tenant", "order-2", "no UUID", 600));
        put(table, lock("order-3", "LOCK", token, -60));
        put(table, lock("~tenant", "order-4", token, 600));
        put(table, Map.of("pk", text("order-1"), "sk", text("DATA"), "price", number(3)));

        ImportCounts counts = run(ForeignLayout.TABLETHEORY, table, "");

        assertThat(counts.of(ImportOutcome.ADDED)).isEqualTo(2);
        assertThat(counts.of(ImportOutcome.EMPTY)).isEqualTo(1);
        assertThat(reasons).containsOnlyKeys("~tenant/order-4");
        assertThat(leases.renew(Key.of("order-1"), Token.parse(token)).remaining())
                .isPositive();
        assertThat(leases.tryAcquire(Key.of("tenant", "order-2"), OPTIONS))
                .isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(ForeignLayout.TABLETHEORY, table, "mine"))
                .withMessageStartingWith("namespace: mine (expected: none");
    }

    private static Map<String, AttributeValue> lock(String pk, String sk, String token, long seconds) {
        long ends = Instant.now().getEpochSecond() + seconds;
        return Map.of(
                "pk", text(pk),
                "sk", text(sk),
                "lease_token", text(token),
                "lease_expires_at", number(ends),
                "ttl", number(ends + 3600));
    }

    @Test
    void leasesOfKclKeepTheirCheckpointsAndLaterFencesAreAboveTheirCounters() {
        ForeignTable table = new ForeignTable("layout=kcl", "leaseKey");
        put(table, kcl("shard-0", "worker-1", 41));
        put(table, kcl("shard-1", "NULL", 7));
        put(table, Map.of("leaseKey", text("shard-2"), "leaseCounter", number(0)));
        Map<String, AttributeValue> large = new HashMap<>(kcl("shard-3", "worker-1", 1));
        large.put("large", text("x".repeat(70_000)));
        put(table, large);

        ImportCounts counts =
                run(ForeignLayout.KCL, LocalDynamo.patientUrl(table.name) + "&expire=20s", "fleet/app/units", leases);

        assertThat(counts.of(ImportOutcome.ADDED)).isEqualTo(3);
        assertThat(reasons).containsOnlyKeys("shard-3");
        assertThat(reasons.get("shard-3")).startsWith("attribute: large");
        LeaseStatus held = status(Key.of("fleet/app/units", "shard-0"));
        assertThat(held.holder()).contains(Holder.of("worker-1"));
        assertThat(held.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(20_100));
        assertThat(held.attributes().text("checkpoint")).contains("TRIM_HORIZON");
        assertThat(held.attributes().get("parentShardId"))
                .contains(new ListOf(List.of(dev.holdfast.AttributeValue.of("shard-x"))));
        Lease taken =
                leases.tryAcquire(Key.of("fleet/app/units", "shard-1"), OPTIONS).orThrow();
        assertThat(taken.fence().isAbove(Fence.of(7))).isTrue();
        assertThat(taken.attributes().text("checkpoint")).contains("TRIM_HORIZON");
        taken.release();
        Fleet.units(leases, "app").create("shard-1");
        try (Stream<UnitStatus> units = Fleet.units(leases, "app").list()) {
            assertThat(units)
                    .as("a created unit keeps the imported state")
                    .singleElement()
                    .satisfies(unit ->
                            assertThat(unit.attributes().text("checkpoint")).contains("TRIM_HORIZON"));
        }
    }

    private static Map<String, AttributeValue> kcl(String key, String owner, long counter) {
        return Map.of(
                "leaseKey", text(key),
                "leaseOwner", text(owner),
                "leaseCounter", number(counter),
                "checkpoint", text("TRIM_HORIZON"),
                "parentShardId", AttributeValue.fromSs(List.of("shard-x")),
                "pendingCheckpoint", AttributeValue.fromNul(true));
    }

    @Test
    void onlyRowsThatTheToolHasWrittenSinceAreWrittenAgain() {
        ForeignTable table = new ForeignTable("layout=kcl", "leaseKey");
        put(table, kcl("shard-0", "worker-1", 41));
        put(table, kcl("shard-1", "worker-2", 41));
        String target = LocalDynamo.patientUrl(LocalDynamo.freshTable());
        new DynamoStoreProvider().init(target, progress -> {});
        try (Leases dynamo = Holdfast.open(target, LeasesOptions.defaults())) {
            String url = LocalDynamo.patientUrl(table.name) + "&layout=kcl";
            assertThat(run(ForeignLayout.KCL, url, "", dynamo).of(ImportOutcome.ADDED))
                    .isEqualTo(2);
            LeaseStatus before = dynamo.get(Key.of("shard-0")).orElseThrow();
            put(table, kcl("shard-1", "NULL", 42));

            ImportCounts counts = run(ForeignLayout.KCL, url, "", dynamo);

            assertThat(counts.of(ImportOutcome.UNCHANGED)).isEqualTo(1);
            assertThat(counts.of(ImportOutcome.UPDATED)).isEqualTo(1);
            assertThat(dynamo.get(Key.of("shard-0")).orElseThrow().entry()).isEqualTo(before.entry());
            assertThat(dynamo.get(Key.of("shard-1")).orElseThrow().state()).isEqualTo(LeaseState.FREE);
            assertThat(dynamo.tryAcquire(Key.of("shard-1"), OPTIONS).isGranted())
                    .isTrue();
            assertThat(dynamo.tryAcquire(Key.of("shard-0"), OPTIONS)).isInstanceOf(AcquireResult.HeldByAnother.class);
        }
    }

    @Test
    void locksOfTheLockClientAreHeldForTheirWholeDurationAndKeepTheirData() {
        ForeignTable table = new ForeignTable("layout=lockclient", "key");
        Map<String, AttributeValue> lock = Map.of(
                "key", text("a"),
                "ownerName", text("host-1"),
                "leaseDuration", text("20000"),
                "recordVersionNumber", text(UUID.randomUUID().toString()),
                "data", text("d"));
        put(table, lock);
        put(table, Tool.with(lock, Map.of("key", text("free"), "isReleased", text("1"))));
        Map<String, AttributeValue> bare = new HashMap<>(Tool.with(lock, Map.of("key", text("bare"))));
        bare.remove("data");
        bare.put("isReleased", text("1"));
        put(table, bare);
        put(table, Tool.with(lock, Map.of("key", text("long"), "leaseDuration", text("700000000"))));

        ImportCounts counts = run(ForeignLayout.LOCKCLIENT, table, "");

        assertThat(counts.of(ImportOutcome.ADDED)).isEqualTo(2);
        assertThat(counts.of(ImportOutcome.EMPTY)).isEqualTo(1);
        assertThat(reasons).containsOnlyKeys("long");
        assertThat(leases.tryAcquire(Key.of("a"), OPTIONS)).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(status(Key.of("free")).state()).isEqualTo(LeaseState.FREE);
        assertThat(status(Key.of("free")).attributes().text("data")).contains("d");
    }

    @Test
    void aUrlOfAnotherLayoutIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(ForeignLayout.KCL, "dynamodb://table?layout=awsflock", "", leases))
                .withMessage("layout: awsflock (expected: kcl, the layout to import)");
    }
}
