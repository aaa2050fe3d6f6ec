package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

/** The meters of an embedded client. */
class LeaseMetersTest {
    private static final Key KEY = Key.of("orders", "secret-42");

    private static Leases open(LeaseMeters meters) {
        return Holdfast.open("memory:", LeasesOptions.builder().listener(meters).build());
    }

    private static Lease acquire(Leases leases, Key key) {
        return leases.tryAcquire(key, AcquireOptions.defaults()).orThrow();
    }

    private static double counted(MeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    @Test
    void grantsRenewalsAndLossesAreCounted() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (Leases leases = open(LeaseMeters.of(registry));
                Lease lease = acquire(leases, KEY)) {
            lease.renew();
            leases.evict(KEY, "a test");
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::renew);

            assertThat(counted(registry, "holdfast.granted")).isEqualTo(1);
            assertThat(registry.get("holdfast.renewal.left").timer().count()).isEqualTo(1);
            assertThat(counted(registry, "holdfast.evicted")).isEqualTo(1);
            assertThat(counted(registry, "holdfast.lost", "reason", "evicted")).isEqualTo(1);
            assertThat(counted(registry, "holdfast.lost", "reason", "taken")).isZero();
            assertThat(registry.get("holdfast.batch.size").summary().count()).isPositive();
            assertThat(registry.get("holdfast.answer.time").timer().count()).isPositive();
        }
    }

    @Test
    void keysAreNoTags() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (Leases leases = open(LeaseMeters.of(registry));
                Lease lease = acquire(leases, KEY)) {
            lease.renew();

            assertThat(registry.getMeters())
                    .flatExtracting(meter -> meter.getId().getTags())
                    .extracting(Tag::getKey)
                    .containsOnly("reason", "effect", "outcome", "le"); // The last one is of histograms.
        }
    }

    @Test
    void tagsFromKeysAreMadeIfAskedFor() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LeaseMeters meters = LeaseMeters.builder(registry)
                .tags(Tags.of("store", "main"))
                .keyTags(key -> Tags.of("namespace", key.namespace()))
                .build();
        try (Leases leases = open(meters);
                Lease first = acquire(leases, KEY);
                Lease second = acquire(leases, Key.of("orders", "43"));
                Lease other = acquire(leases, Key.of("invoices", "1"))) {
            first.renew();
            assertThat(second.isHeld() && other.isHeld()).isTrue();

            assertThat(registry.scrape().lines())
                    .contains(
                            "holdfast_granted_total{namespace=\"orders\",store=\"main\"} 2.0",
                            "holdfast_granted_total{namespace=\"invoices\",store=\"main\"} 1.0",
                            "holdfast_lost_total{namespace=\"orders\",reason=\"taken\",store=\"main\"} 0.0",
                            "holdfast_renewal_left_seconds_count{namespace=\"orders\",store=\"main\"} 1",
                            "holdfast_batch_size_count{store=\"main\"} 4")
                    .noneMatch(line -> line.contains("secret-42"));
        }
    }

    @Test
    void clientsOfTwoStoresHaveTheirOwnMeters() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (Leases one = open(LeaseMeters.builder(registry)
                        .tags(Tags.of("store", "one"))
                        .build());
                Leases two = open(LeaseMeters.builder(registry)
                        .tags(Tags.of("store", "two"))
                        .build());
                Lease lease = acquire(one, KEY)) {
            assertThat(lease.isHeld() && two.get(KEY).isEmpty()).isTrue();

            assertThat(counted(registry, "holdfast.granted", "store", "one")).isEqualTo(1);
            assertThat(counted(registry, "holdfast.granted", "store", "two")).isZero();
        }
    }
}
