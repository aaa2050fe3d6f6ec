package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attributes;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.dynamodb.table.RequestCounter;
import dev.holdfast.dynamodb.table.RequestKind;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Reads of a fleet from a table that contains other keys too. The figures of docs/stores-dynamodb.md come from here.
 */
class FleetCostTest {
    /** Keys in the table beside the fleet's own. More of them cost nothing more, which is the point of the test. */
    private static final int OTHER_KEYS = Integer.getInteger("holdfast.cost.keys", 250);

    private static final FleetOptions OPTIONS = FleetOptions.defaults();
    private static final Duration TIME = OPTIONS.poll().multipliedBy(5);
    /**
     * Two polls are sometimes a tenth less than the poll interval apart, so that workers do not all poll at one moment.
     */
    private static final long POLLS_AT_MOST =
            TIME.multipliedBy(10).dividedBy(OPTIONS.poll().multipliedBy(9)) + 1;

    private static final int BATCH = 25;

    private final ManualClock runtime = new ManualClock();
    private final String url = Tables.create() + "&units=true";
    private final List<NativeTableStore> stores = new ArrayList<>();
    private final List<Leases> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Leases::close);
        runtime.close();
    }

    private Leases open(String holder) {
        NativeTableStore store = Tables.open(url, runtime);
        Leases leases = Holdfast.open(
                new InlineStore(store),
                LeasesOptions.builder()
                        .holder(holder)
                        .environment(runtime)
                        .withoutCleanUp()
                        .build());
        stores.add(store);
        clients.add(leases);
        return leases;
    }

    private double sum(ToDoubleFunction<RequestCounter> count) {
        return stores.stream()
                .map(NativeTableStore::requests)
                .mapToDouble(count)
                .sum();
    }

    private void join(String worker) {
        CompletableFuture<Fleet> joining = Fleet.of(open(worker), "crew")
                .worker(worker)
                .options(OPTIONS)
                .onAssigned(unit -> {})
                .onRevoked(unit -> {})
                .joinAsync()
                .toCompletableFuture();
        runtime.advance(Duration.ZERO);
        joining.join();
    }

    /** Adds copies of an entry that was once held. */
    private void addOtherKeys(Leases leases) {
        Key first = Key.of("other", "first");
        leases.tryAcquire(first, AcquireOptions.defaults().attributes(Attributes.of("text", "x".repeat(200))))
                .orThrow()
                .release();
        String table = DynamoUrl.parse(url).table();
        try (DynamoDbClient client = LocalDynamo.client()) {
            Map<String, AttributeValue> item = client.getItem(
                            request -> request.tableName(table).key(EntryItems.key(first)))
                    .item();
            for (int from = 0; from < OTHER_KEYS; from += BATCH) {
                List<WriteRequest> batch = IntStream.range(from, Math.min(OTHER_KEYS, from + BATCH))
                        .mapToObj(number -> copy(item, Key.of("other", "key-" + number)))
                        .toList();
                client.batchWriteItem(request -> request.requestItems(Map.of(table, batch)));
            }
        }
    }

    private static WriteRequest copy(Map<String, AttributeValue> item, Key key) {
        Map<String, AttributeValue> copy = new HashMap<>(item);
        copy.putAll(EntryItems.key(key));
        return WriteRequest.builder()
                .putRequest(PutRequest.builder().item(copy).build())
                .build();
    }

    @Test
    void readsOfAFleetGrowWithItsWorkersAndNotWithTheTable() {
        Leases outsider = open("outsider");
        addOtherKeys(outsider);
        Fleet.units(outsider, "crew").create("unit");
        int workers = 0;
        for (int count : List.of(3, 5)) {
            for (; workers < count; workers++) {
                join("worker-" + workers);
            }
            runtime.advance(OPTIONS.term());
            double units = sum(RequestCounter::readUnits);
            double scans = sum(it -> it.count(RequestKind.SCAN));

            runtime.advance(TIME);

            double read = sum(RequestCounter::readUnits) - units;
            System.out.printf(
                    "fleet cost: %d workers, %d other keys: %.1f read units/s, %.0f scans in %s%n",
                    count, OTHER_KEYS, read / TIME.toSeconds(), sum(it -> it.count(RequestKind.SCAN)) - scans, TIME);
            // The planner and two standbys read three marks and each anchor. Each worker reads its sheet, the planner's
            // anchor, and occasionally whether planning continues. Each read is one unit.
            assertThat(read).isLessThanOrEqualTo(POLLS_AT_MOST * (3.0 * (3 + count) + 3 * count));
            assertThat(sum(it -> it.count(RequestKind.SCAN)) - scans).isZero();
        }
    }
}
