package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the background clean-up: one of the clients that share a store removes old entries. */
class BackgroundCleanUpTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Key OTHER = Key.of("orders", "43");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().autoRenew(false);
    private static final Duration WEEK = Duration.ofDays(7);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));

    private Leases open(LeasesOptions.Builder options) {
        return Holdfast.open(store, options.environment(runtime).build());
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void idleEntriesAreRemovedInTheBackground() {
        try (Leases leases = open(LeasesOptions.builder())) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().release();
            leases.tryAcquire(OTHER, OPTIONS).orThrow().done();

            runtime.advance(WEEK.minusHours(1));
            assertThat(leases.get(KEY)).isPresent();
            runtime.advance(Duration.ofHours(3));
            assertThat(leases.get(KEY)).isEmpty();
            assertThat(leases.get(OTHER)).as("done entries stay by default").isPresent();
        }
    }

    @Test
    void doneEntriesAreRemovedIfConfigured() {
        CleanUpOptions doneToo = CleanUpOptions.idle(10).doneOlderThan(Duration.ofDays(8));
        try (Leases leases = open(LeasesOptions.builder().cleanUp(doneToo))) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().done();

            runtime.advance(Duration.ofDays(8).plusHours(2));

            assertThat(leases.get(KEY)).isEmpty();
        }
    }

    @Test
    void nothingIsRemovedIfCleanUpIsDisabled() {
        try (Leases leases = open(LeasesOptions.builder().withoutCleanUp())) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().release();

            runtime.advance(WEEK.multipliedBy(2));

            assertThat(leases.get(KEY)).isPresent();
        }
    }

    @Test
    void aSelfCleaningStoreIsNotScanned() {
        try (Leases leases = Holdfast.open(
                new CleanStore(store),
                LeasesOptions.builder().environment(runtime).build())) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().release();

            runtime.advance(WEEK.multipliedBy(2));

            assertThat(leases.get(KEY)).isPresent();
            assertThat(store.calls().scans()).isZero();
        }
    }

    @Test
    void aSelfCleaningStoreIsCleanedUpIfConfigured() {
        CleanUpOptions doneToo = CleanUpOptions.idle(10).doneOlderThan(Duration.ofDays(8));
        try (Leases leases = Holdfast.open(
                new CleanStore(store),
                LeasesOptions.builder().environment(runtime).cleanUp(doneToo).build())) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().done();

            runtime.advance(Duration.ofDays(8).plusHours(2));

            assertThat(leases.get(KEY)).isEmpty();
        }
    }

    @Test
    void onlyOneOfManyClientsCleansUp() {
        try (Leases ann = open(LeasesOptions.builder().holder("ann"));
                Leases bob = open(LeasesOptions.builder().holder("bob"))) {
            ann.tryAcquire(KEY, OPTIONS).orThrow().release();
            FaultyStore.Calls before = store.calls();

            runtime.advance(Duration.ofMinutes(30));

            // One scan of free entries, and one of held entries.
            assertThat(store.calls().since(before).scans()).isEqualTo(2);
            assertThat(bob.get(KEY)).isPresent();
        }
    }

    @Test
    void aFailureSkipsOnlyOneRound() {
        try (Leases leases = open(LeasesOptions.builder())) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().release();
            runtime.advance(WEEK);
            store.always(Call.SCAN, StoreFault.FAIL);
            runtime.advance(Duration.ofHours(3));
            assertThat(leases.get(KEY)).isPresent();

            store.heal();
            runtime.advance(Duration.ofHours(3));

            assertThat(leases.get(KEY)).isEmpty();
        }
    }
}
