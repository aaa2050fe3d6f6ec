package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.dynamodb.table.RequestCounter;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The number of requests is a feature, because it determines the cost. The figures of docs/performance.md come from
 * here.
 */
class RequestCostTest {
    private static final int WORKERS = 10;
    private static final int LEASES_EACH = 100;
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration TIME = Duration.ofMinutes(10);
    /** Two heartbeats are a third of the term apart, or up to a tenth less, so that not all come at one moment. */
    private static final long HEARTBEATS_AT_MOST = TIME.multipliedBy(10).dividedBy(TERM.multipliedBy(3));

    private static final long HEARTBEATS_AT_LEAST = TIME.dividedBy(TERM.dividedBy(3)) - 1;

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
                LeasesOptions.builder().holder(holder).environment(runtime).build());
        stores.add(store);
        clients.add(leases);
        return leases;
    }

    private long sum(ToLongFunction<RequestCounter> count) {
        return stores.stream().map(NativeTableStore::requests).mapToLong(count).sum();
    }

    @Test
    void aThousandLeasesOfTenWorkersCostOneWritePerWorkerAndHeartbeat() {
        List<Lease> leases = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            Leases client = open("worker-" + worker);
            Anchor anchor = client.anchor("worker-" + worker, TERM);
            for (int i = 0; i < LEASES_EACH; i++) {
                Key key = Key.of("units", worker + "-" + i);
                leases.add(client.tryAcquire(key, AcquireOptions.defaults().under(anchor))
                        .orThrow());
            }
        }
        long toAcquire = sum(RequestCounter::total);
        long writes = sum(RequestCounter::writes);
        long units = sum(it -> (long) it.writeUnits());

        runtime.advance(TIME);

        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(toAcquire)
                .as("one insert for each lease and anchor, and one read of the table's format by each worker")
                .isEqualTo(WORKERS * LEASES_EACH + WORKERS + WORKERS);
        assertThat(sum(RequestCounter::total) - toAcquire)
                .as("requests in %s", TIME)
                .isBetween(WORKERS * HEARTBEATS_AT_LEAST, WORKERS * HEARTBEATS_AT_MOST);
        assertThat(sum(it -> (long) it.writeUnits()) - units)
                .as("write units: an item is smaller than a kilobyte")
                .isEqualTo(sum(RequestCounter::writes) - writes);
    }

    /** As KCL and a8m/lease do it. Fewer leases suffice, because each costs the same. */
    @Test
    void leasesWithoutAnAnchorCostOneWriteEach() {
        Leases client = open("worker");
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Key key = Key.of("units", "unit-" + i);
            leases.add(
                    client.tryAcquire(key, AcquireOptions.defaults().term(TERM)).orThrow());
        }
        long before = sum(RequestCounter::total);

        runtime.advance(TIME);

        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(sum(RequestCounter::total) - before).isBetween(2 * HEARTBEATS_AT_LEAST, 2 * HEARTBEATS_AT_MOST);
    }

    @Test
    void aCycleOfAcquireAndReleaseIsTwoRequests() {
        Leases client = open("ann");
        String key = "orders-42";
        client.tryAcquire(key).orThrow().release();
        long before = sum(RequestCounter::total);

        for (int i = 0; i < 10; i++) {
            client.tryAcquire(key).orThrow().release();
        }

        assertThat(sum(RequestCounter::total) - before).isEqualTo(20);
    }

    @Test
    void aLostRaceIsOneRequest() {
        Leases ann = open("ann");
        Leases bob = open("bob");
        String key = "orders-42";
        ann.tryAcquire(key).orThrow();
        bob.tryAcquire("another").orThrow();
        long before = sum(RequestCounter::total);

        assertThat(bob.tryAcquire(key).isGranted()).isFalse();

        assertThat(sum(RequestCounter::total) - before).isEqualTo(1);
    }
}
