package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import dev.holdfast.testkit.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests of tables and items that newer code, or another program, has written. */
class FormatTest {
    private static final Key KEY = Key.of("jobs", "a");
    private static final String TABLE_KEY = "holdfast-format";

    private final String url = Tables.create();
    private final String table = DynamoUrl.parse(url).table();
    private final DynamoDbClient service = LocalDynamo.client();
    private final DynamoStoreProvider provider = new DynamoStoreProvider();

    @AfterEach
    void close() {
        service.close();
    }

    private Leases open(String holder) {
        return Holdfast.open(url, LeasesOptions.builder().holder(holder).build());
    }

    private Map<String, AttributeValue> item(String key) {
        return service.getItem(request -> request.tableName(table)
                        .key(Map.of("key", AttributeValue.fromS(key)))
                        .consistentRead(true))
                .item();
    }

    private void put(String key, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.put("key", AttributeValue.fromS(key));
        service.putItem(request -> request.tableName(table).item(item));
    }

    /** Rewrites an item as newer code would: with a new version, and attributes that this code does not know. */
    private void rewrite(String key, Map<String, AttributeValue> others) {
        Map<String, AttributeValue> item = new HashMap<>(item(key));
        item.put("version", AttributeValue.fromS("01a1e1a1-c27d-7b6f-9a86-08c15495ca89"));
        item.putAll(others);
        put(key, item);
    }

    private static Map<String, AttributeValue> limits(int minReader, int minWriter) {
        return Map.of(
                "min_reader", AttributeValue.fromN(String.valueOf(minReader)),
                "min_writer", AttributeValue.fromN(String.valueOf(minWriter)));
    }

    private static Token tokenOf(Leases leases) {
        return Objects.requireNonNull(leases.get(KEY).orElseThrow().entry().grant())
                .token();
    }

    private static void assertRejected(Runnable call, String message) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.isRetryable()).isFalse())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED))
                .withMessageContaining(message);
    }

    @Test
    void aTableThatOnlyNewerCodeMayReadIsRejected() {
        put(TABLE_KEY, limits(2, 2));
        try (Leases leases = open("ann")) {
            String refusal =
                    "the table " + table + " can only be read by a newer version of Holdfast, which understands"
                            + " format 2 (this one understands format 1); upgrade this program";
            assertRejected(() -> leases.tryAcquire("a"), refusal);
            assertRejected(() -> leases.get(KEY), refusal);
        }
        assertThat(provider.check(url, Instant::now))
                .anySatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.ERROR));
    }

    @Test
    void aTableThatOnlyNewerCodeMayWriteIsRead() {
        try (Leases leases = open("ann")) {
            leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            put(TABLE_KEY, limits(1, 2));
            try (Leases other = open("bob")) {
                assertThat(other.get(KEY)).isPresent();
                assertThat(other.list(LeaseFilter.all())).hasSize(1);
                assertRejected(() -> other.tryAcquire("b"), "can only be written by a newer version of Holdfast");
            }
        }
        assertThat(provider.check(url, Instant::now))
                .anySatisfy(finding -> assertThat(finding.what()).startsWith("its format needs a newer version"));
    }

    @Test
    void aTableOfAnyFormatThatThisCodeMayWriteIsUsed() {
        put(TABLE_KEY, limits(1, 1));
        try (Leases leases = open("ann")) {
            for (int i = 0; i < 20; i++) {
                leases.tryAcquire("key-" + i).orThrow();
            }
            List<String> names = new ArrayList<>();
            String cursor = null;
            do {
                var page = leases.async()
                        .list(LeaseFilter.all(), cursor, 1)
                        .toCompletableFuture()
                        .join();
                page.statuses().forEach(status -> names.add(status.key().name()));
                cursor = page.cursor();
            } while (cursor != null);
            assertThat(names).hasSize(20).doesNotHaveDuplicates();
        }
    }

    @Test
    void anItemThatOnlyNewerCodeMayReadIsRejected() {
        try (Leases leases = open("ann")) {
            Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults().autoRenew(false))
                    .orThrow();
            rewrite("jobs/a", limits(3, 3));

            String refusal =
                    "the item jobs/a can only be read by a newer version of Holdfast, which understands format 3";
            assertRejected(() -> leases.get(KEY), refusal);
            assertRejected(() -> leases.list(LeaseFilter.all()).forEach(status -> {}), refusal);
            assertRejected(lease::renew, refusal);
            assertRejected(() -> leases.tryAcquire(KEY, AcquireOptions.defaults()), refusal);
            assertThat(item("jobs/a")).containsEntry("min_reader", AttributeValue.fromN("3"));
        }
    }

    @Test
    void anItemThatOnlyNewerCodeMayWriteIsRead() {
        try (Leases ann = open("ann");
                Leases bob = open("bob")) {
            ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().detach();
            rewrite("jobs/a", limits(1, 2));

            assertThat(bob.get(KEY)).map(LeaseStatus::state).isPresent();
            assertThat(bob.tryAcquire(KEY, AcquireOptions.defaults())).isInstanceOf(AcquireResult.HeldByAnother.class);
            assertRejected(
                    () -> bob.renew(KEY, tokenOf(bob)), "the item jobs/a can only be written by a newer version of");
            assertRejected(() -> bob.evict(KEY, "test"), "the item jobs/a can only be written by a newer version of");
        }
    }

    @Test
    void attributesThatThisCodeDoesNotKnowSurviveItsWrites() {
        try (Leases leases = open("ann")) {
            leases.tryAcquire(KEY, AcquireOptions.defaults().autoRenew(false))
                    .orThrow()
                    .detach();
            rewrite("jobs/a", Map.of("weight", AttributeValue.fromSs(List.of("x", "y")), "min_writer", n(1)));
            Token token = tokenOf(leases);

            leases.renew(KEY, token);
            assertThat(item("jobs/a")).containsKeys("weight", "min_writer");
            leases.update(KEY, token, AttributePatch.putting("step", 1));
            assertThat(item("jobs/a")).containsKeys("weight", "min_writer", "attributes");
            leases.release(KEY, token);
            assertThat(item("jobs/a")).containsKeys("weight", "min_writer", "ttl");
            Lease next = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            assertThat(item("jobs/a")).containsKeys("weight", "min_writer").doesNotContainKey("ttl");
            next.done();
            assertThat(item("jobs/a")).containsKeys("weight", "min_writer", "done_at");
        }
    }

    private static AttributeValue n(int number) {
        return AttributeValue.fromN(String.valueOf(number));
    }

    @Test
    void onlyUpgradeChangesAnExistingTable() {
        List<String> progress = new ArrayList<>();
        provider.init(url, progress::add);
        assertThat(progress).contains("its time to live is off; holdfast store upgrade sets it");
        assertThat(timeToLive()).isEqualTo("DISABLED");
        assertThat(item(TABLE_KEY)).isEmpty();

        provider.upgrade(url, progress::add);
        assertThat(timeToLive()).isEqualTo("ENABLED");
        assertThat(progress).last().asString().contains("is of format 1, the newest");
        assertThat(item(TABLE_KEY)).isEmpty();
        assertThat(provider.check(url, Instant::now)).extracting(Finding::level).containsOnly(Level.OK);
    }

    private String timeToLive() {
        return service.describeTimeToLive(request -> request.tableName(table))
                .timeToLiveDescription()
                .timeToLiveStatusAsString();
    }

    @Test
    void aTableThatIsMissingOrTooNewIsNotUpgraded() {
        String missing = LocalDynamo.patientUrl(LocalDynamo.freshTable());
        assertRejected(() -> provider.upgrade(missing, progress -> {}), "create it with: holdfast store init");
        put(TABLE_KEY, limits(1, 2));
        assertRejected(
                () -> provider.upgrade(url, progress -> {}), "can only be written by a newer version of Holdfast");
    }

    @Test
    void aProcessReadsTheFormatOnce() {
        ManualClock runtime = new ManualClock();
        NativeTableStore store = Tables.open(url, runtime);
        try (Leases leases = Holdfast.open(
                new InlineStore(store),
                LeasesOptions.builder().holder("ann").environment(runtime).build())) {
            leases.tryAcquire("a").orThrow().release();
            assertThat(store.requests().total()).isEqualTo(3);
            leases.tryAcquire("b").orThrow().release();
            assertThat(store.requests().total()).isEqualTo(5);
        }
    }
}
