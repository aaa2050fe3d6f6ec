package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.table.DynamoTransport;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** Tests of the table itself: its creation, its contents, and the errors for an unsuitable table. */
class NativeTableTest {
    private static final Key KEY = Key.of("a/b%", "c/d");

    private final DynamoStoreProvider provider = new DynamoStoreProvider();
    private final String table = LocalDynamo.freshTable();
    private final String url = LocalDynamo.patientUrl(table);
    private final List<String> progress = new ArrayList<>();

    private DescribeTableResponse describe() {
        try (DynamoDbClient client = LocalDynamo.client()) {
            return client.describeTable(request -> request.tableName(table));
        }
    }

    private Map<String, AttributeValue> item(String text) {
        try (DynamoDbClient client = LocalDynamo.client()) {
            return item(client, text);
        }
    }

    private Map<String, AttributeValue> item(DynamoDbClient client, String text) {
        return client.getItem(request -> request.tableName(table).key(Map.of("key", AttributeValue.fromS(text))))
                .item();
    }

    private List<Finding> check() {
        return provider.check(url, Instant::now);
    }

    @Test
    void aTableIsCreatedOnDemandWithATimeToLiveAndASecondInitChangesNothing() {
        provider.init(url, progress::add);
        assertThat(progress).first().asString().isEqualTo("creating the table " + table + ", on demand");
        assertThat(progress).last().asString().isEqualTo("the table " + table + " is ready");
        assertThat(describe().table().billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        assertThat(check()).allMatch(finding -> finding.level() == Level.OK).hasSize(7);

        provider.init(url, progress::add);
        assertThat(progress).contains("the table " + table + " is there already");
    }

    @Test
    void aTableIsProvisionedOnRequest() {
        provider.init(url + "&billing=provisioned&read=3&write=7", progress::add);

        assertThat(describe().table().provisionedThroughput().readCapacityUnits())
                .isEqualTo(3);
        assertThat(describe().table().provisionedThroughput().writeCapacityUnits())
                .isEqualTo(7);
    }

    @Test
    void aMissingTableIsReported() {
        assertThat(check()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.ERROR);
            assertThat(finding.what()).contains("holdfast store init --store '" + LocalDynamo.url(table) + "'");
        });
    }

    @Test
    void aForeignTableIsLeftUnchanged() {
        try (DynamoDbClient client = LocalDynamo.client()) {
            DynamoUrl parsed = DynamoUrl.parse(url);
            client.createTable(TableSetup.newTable(parsed, TableBilling.of(parsed)).toBuilder()
                    .attributeDefinitions(List.of(AttributeDefinition.builder()
                            .attributeName("lock_id")
                            .attributeType("S")
                            .build()))
                    .keySchema(List.of(KeySchemaElement.builder()
                            .attributeName("lock_id")
                            .keyType("HASH")
                            .build()))
                    .build());
        }

        assertThat(check()).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Level.ERROR);
            assertThat(finding.what()).isEqualTo("its key is lock_id (expected: key alone, a string)");
        });
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> provider.init(url, progress::add))
                .withMessageContaining("is used for something else");
    }

    @Test
    void aTableWithoutATimeToLiveCausesAWarning() {
        try (DynamoDbClient client = LocalDynamo.client()) {
            DynamoUrl parsed = DynamoUrl.parse(url);
            client.createTable(TableSetup.newTable(parsed, TableBilling.of(parsed)));
        }

        assertThat(check())
                .filteredOn(finding -> finding.level() == Level.WARNING)
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).startsWith("idle keys are never removed"));
    }

    @Test
    void onlyFreeKeysHaveATimeToLiveOfAWeek() {
        provider.init(url, progress::add);
        try (Leases leases = Holdfast.open(url)) {
            Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            assertThat(item("a%2Fb%25/c/d")).containsKey("token").doesNotContainKey("ttl");

            lease.release();
            long ttl = Long.parseLong(ItemAttribute.TTL.in(item("a%2Fb%25/c/d")));
            long week = Instant.now().plus(Duration.ofDays(7)).getEpochSecond();
            assertThat(ttl).isBetween(week - 600, week + 600);

            leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().done();
            assertThat(item("a%2Fb%25/c/d"))
                    .containsEntry("state", AttributeValue.fromS("DONE"))
                    .doesNotContainKey("ttl");
        }
    }

    /**
     * By a clock that is a year behind, a week from now is long past, so DynamoDB Local removes such items immediately.
     */
    /** DynamoDB Local has one thread that removes items. In a server that many tests share, it once stopped. */
    @Test
    void heldKeysOutliveAnyTimeToLiveAndFreeKeysDoNot() throws InterruptedException {
        ManualClock runtime = new ManualClock();
        runtime.jumpWall(Duration.between(runtime.now(), Instant.now().minus(Duration.ofDays(365))));
        try (LocalDynamo.OwnServer server = LocalDynamo.start()) {
            String own = "dynamodb://" + table + "?region=us-east-1&timeout=60s&endpoint=" + server.endpoint();
            provider.init(own, progress::add);
            try (Leases leases = Holdfast.open(
                            new InlineStore(Tables.open(own, runtime)),
                            LeasesOptions.builder()
                                    .holder("ann")
                                    .environment(runtime)
                                    .build());
                    DynamoDbClient client = DynamoTransport.client(DynamoUrl.parse(own))) {
                leases.tryAcquire("held").orThrow();
                leases.tryAcquire("free").orThrow().release();

                Eventually.isTrue(() -> item(client, "/free").isEmpty(), "the free item is removed");
                assertThat(item(client, "/held")).isNotEmpty();
            }
        }
    }

    @Test
    void aForeignItemIsRejectedByName() {
        provider.init(url, progress::add);
        try (DynamoDbClient client = LocalDynamo.client()) {
            client.putItem(request -> request.tableName(table).item(Map.of("key", AttributeValue.fromS("/strange"))));
        }
        try (Leases leases = Holdfast.open(url)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.get(Key.of("strange")))
                    .withMessageContaining("the item /strange is not Holdfast's: no version");
        }
    }
}
