package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Fence;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of which entries a clean-up removes, and that fences keep growing even on a store without a fence floor. */
class CleanUpTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().autoRenew(false);
    private static final Duration WEEK = Duration.ofDays(7);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime, 0, false));
    private final Leases leases = Holdfast.open(store, options("ann").build());

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().withoutCleanUp().holder(holder).environment(runtime);
    }

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
    }

    @Test
    void entriesAreRemovedAfterAnIdleWeekAndNotBefore() {
        leases.tryAcquire(KEY, OPTIONS).orThrow().release();

        runtime.advance(WEEK.minusMillis(1));
        assertThat(leases.cleanUp(CleanUpOptions.idle(10))).isZero();
        runtime.advance(Duration.ofMillis(2));
        assertThat(leases.cleanUp(CleanUpOptions.idle(10))).isEqualTo(1);

        assertThat(leases.get(KEY)).isEmpty();
    }

    @Test
    void aCleanUpOfManyKeysDoesNotOverflowTheStack() {
        MemoryStore many = new MemoryStore(runtime, 0, false);
        for (int from = 0; from < 150_000; from += 500) {
            many.apply(IntStream.range(from, from + 500)
                    .mapToObj(i -> Key.of("idle", "key-" + i))
                    .map(key ->
                            Change.insert(Entry.empty(key, Version.of(runtime.randomId()), Fence.NONE, runtime.now())))
                    .toList());
        }
        try (Leases sweeper = Holdfast.open(many, options("bob").build())) {
            assertThat(sweeper.cleanUp(CleanUpOptions.idle(1_000_000))).isZero();
        }
    }

    @Test
    void fencesGrowAcrossACleanUp() {
        Lease before = leases.tryAcquire(KEY, OPTIONS).orThrow();
        before.release();
        runtime.advance(WEEK.plusDays(1));
        assertThat(leases.cleanUp(CleanUpOptions.idle(10))).isEqualTo(1);

        runtime.jumpWall(WEEK.negated());
        Lease after = leases.tryAcquire(KEY, OPTIONS).orThrow();

        assertThat(after.fence()).isGreaterThan(before.fence());
    }

    @Test
    void heldEntriesAreKeptHoweverOldTheyAre() {
        leases.tryAcquire(KEY, AcquireOptions.defaults().term(Duration.ofDays(1)))
                .orThrow();
        runtime.advance(WEEK.multipliedBy(2));

        assertThat(leases.cleanUp(CleanUpOptions.idle(10))).isZero();
    }

    @Test
    void doneEntriesAreKeptUnlessTheOptionsIncludeThem() {
        leases.tryAcquire(KEY, OPTIONS).orThrow().done();
        runtime.advance(WEEK.multipliedBy(5));

        assertThat(leases.cleanUp(CleanUpOptions.idle(10))).isZero();
        assertThat(leases.cleanUp(CleanUpOptions.idle(10).doneOlderThan(Duration.ofDays(90))))
                .isZero();
        assertThat(leases.tryAcquire(KEY, OPTIONS)).isInstanceOf(AcquireResult.Done.class);

        assertThat(leases.cleanUp(CleanUpOptions.idle(10).doneOlderThan(Duration.ofDays(30))))
                .isEqualTo(1);
        assertThat(leases.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
    }

    @Test
    void noMoreEntriesAreRemovedThanTheLimit() {
        for (int i = 0; i < 250; i++) {
            leases.tryAcquire(Key.of("key-" + i), OPTIONS).orThrow().release();
        }
        runtime.advance(WEEK.plusDays(1));

        assertThat(leases.cleanUp(CleanUpOptions.idle(120))).isEqualTo(120);
        assertThat(leases.list(LeaseFilter.all())).hasSize(130);
        assertThat(leases.cleanUp(CleanUpOptions.idle(1000))).isEqualTo(130);
    }

    @Test
    void aFenceFloorMakesFencesGrowEvenIfTheClockJumpsBack() {
        try (Leases onFloor =
                Holdfast.open(new MemoryStore(runtime), options("bob").build())) {
            Lease before = onFloor.tryAcquire(KEY, OPTIONS).orThrow();
            before.release();
            runtime.advance(WEEK.plusDays(1));
            assertThat(onFloor.cleanUp(CleanUpOptions.idle(10))).isEqualTo(1);

            runtime.jumpWall(WEEK.multipliedBy(10).negated());
            Lease after = onFloor.tryAcquire(KEY, OPTIONS).orThrow();

            assertThat(after.fence()).isGreaterThan(before.fence());
        }
    }

    @Test
    void aFailedScanIsRetried() {
        leases.tryAcquire(KEY, OPTIONS).orThrow().release();
        runtime.advance(WEEK.plusDays(1));
        store.next(Call.SCAN, StoreFault.FAIL, StoreFault.LOSE_ANSWER);
        CompletableFuture<Long> removed =
                leases.async().cleanUp(CleanUpOptions.idle(10)).toCompletableFuture();

        runtime.advance(Duration.ofSeconds(1));

        assertThat(removed).isCompletedWithValue(1L);
    }
}
