package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Calls;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of how many store calls a request costs, and that a refusal never comes from the cache. */
class CostTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults();
    private static final AcquireOptions UNRENEWED = OPTIONS.autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases ann = open("ann");
    private final Leases bob = open("bob");

    private Leases open(String holder) {
        return Holdfast.open(
                store,
                LeasesOptions.builder().holder(holder).environment(runtime).build());
    }

    @AfterEach
    void close() {
        ann.close();
        bob.close();
        runtime.close();
    }

    private void assertCosts(int applies, int reads, Runnable work) {
        Calls before = store.calls();
        work.run();
        Calls cost = store.calls().since(before);
        assertThat(List.of(cost.applies(), cost.reads())).isEqualTo(List.of(applies, reads));
    }

    @Test
    void anEntryThatTheClientWroteIsNotReadBeforeTheNextWrite() {
        List<Lease> leases = new ArrayList<>();
        assertCosts(1, 0, () -> leases.add(ann.tryAcquire(KEY, OPTIONS).orThrow()));
        Lease lease = leases.get(0);
        assertCosts(1, 0, lease::renew);
        assertCosts(1, 0, () -> lease.update(AttributePatch.putting("x", 1)));
        assertCosts(1, 0, lease::release);
        assertCosts(1, 0, () -> leases.add(ann.tryAcquire(KEY, OPTIONS).orThrow()));
        assertCosts(1, 0, () -> leases.get(1).done());
    }

    @Test
    void aReleaseToAWaiterIsOneWrite() {
        Lease lease = ann.tryAcquire(KEY, UNRENEWED).orThrow();
        CompletableFuture<AcquireResult> waiting =
                ann.async().acquire(KEY, UNRENEWED, Duration.ofMinutes(1)).toCompletableFuture();
        assertThat(waiting).isNotDone();

        assertCosts(1, 0, lease::release);

        assertThat(waiting).isCompletedWithValueMatching(AcquireResult::isGranted);
    }

    @Test
    void theEndOfAnAnchorWakesWaitersForItsChildrenImmediately() {
        Anchor anchor = ann.anchor("worker", Duration.ofSeconds(30));
        ann.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow();
        CompletableFuture<AcquireResult> waiting =
                ann.async().acquire(KEY, UNRENEWED, Duration.ofMinutes(1)).toCompletableFuture();
        assertThat(waiting).isNotDone();

        anchor.close();

        assertThat(waiting).isCompletedWithValueMatching(AcquireResult::isGranted);
    }

    @Test
    void anUnknownKeyCostsOneConflictAndNoRead() {
        ann.tryAcquire(KEY, OPTIONS).orThrow().release();

        assertCosts(2, 0, () -> bob.tryAcquire(KEY, OPTIONS).orThrow());
    }

    @Test
    void aRefusalIsNeverCached() {
        Lease lease = ann.tryAcquire(KEY, OPTIONS).orThrow();
        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isFalse();
        lease.release();

        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
    }

    @Test
    void everyRefusalReadsTheStore() {
        ann.tryAcquire(KEY, OPTIONS).orThrow();
        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isFalse();

        assertCosts(0, 1, () -> bob.tryAcquire(KEY, OPTIONS));
        assertCosts(0, 1, () -> bob.tryAcquire(KEY, OPTIONS));
    }

    @Test
    void aRefusalReturnsTheCurrentHolder() {
        Lease lease = ann.tryAcquire(KEY, OPTIONS).orThrow();
        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isFalse();
        lease.release();
        ann.tryAcquire(KEY, OPTIONS.holder("carl")).orThrow();

        AcquireResult refused = bob.tryAcquire(KEY, OPTIONS);

        assertThat(((AcquireResult.HeldByAnother) refused).holder()).isEqualTo(Holder.of("carl"));
    }

    @Test
    void doneIsNeverCached() {
        ann.tryAcquire(KEY, OPTIONS).orThrow().done();
        assertThat(bob.tryAcquire(KEY, OPTIONS)).isInstanceOf(AcquireResult.Done.class);
        ann.reopen(KEY);

        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
    }

    @Test
    void aWriteFromAStaleCacheIsDecidedAgainAfterTheConflict() {
        ann.tryAcquire(KEY, OPTIONS).orThrow().release();
        Lease bobs = bob.tryAcquire(KEY, OPTIONS).orThrow();

        AcquireResult refused = ann.tryAcquire(KEY, OPTIONS);

        assertThat(((AcquireResult.HeldByAnother) refused).fence()).isEqualTo(bobs.fence());
    }

    @Test
    void aThousandLeasesUnderAnAnchorCostTheRenewalsOfOne() {
        Anchor anchor = ann.anchor("worker", Duration.ofSeconds(30));
        for (int i = 0; i < 1000; i++) {
            ann.tryAcquire(Key.of("shard-" + i), OPTIONS.under(anchor)).orThrow();
        }
        Calls before = store.calls();

        runtime.advance(Duration.ofMinutes(5));

        assertThat(store.calls().since(before).changes()).isBetween(20, 40);
        assertThat(anchor.isHeld()).isTrue();
    }

    @Test
    void aHundredWaitersCostNoMoreThanOne() {
        Lease lease = ann.tryAcquire(KEY, OPTIONS).orThrow();
        List<CompletableFuture<AcquireResult>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(bob.async().acquire(KEY, UNRENEWED, Duration.ofHours(1)).toCompletableFuture());
        }
        Calls before = store.calls();

        runtime.advance(Duration.ofMinutes(5));

        Calls cost = store.calls().since(before);
        assertThat(cost.reads()).isLessThan(200);
        lease.release();
        assertThat(waiting.get(0).join().isGranted()).isTrue();
        assertThat(waiting.get(1)).isNotDone();
        waiting.forEach(future -> future.cancel(false));
    }

    @Test
    void aListingReadsPagesOnlyOnDemand() {
        for (int i = 0; i < 1100; i++) {
            ann.tryAcquire(Key.of("shop", "key-" + i), UNRENEWED);
        }
        Calls before = store.calls();
        LeaseFilter shop = LeaseFilter.namespacePrefix("shop");

        assertThat(bob.list(shop).findFirst()).isPresent();
        assertThat(store.calls().since(before).scans()).isEqualTo(1);

        assertThat(bob.list(shop)).hasSize(1100);
        assertThat(store.calls().since(before)).isEqualTo(new Calls(0, 0, 0, 4));
    }

    @Test
    void theAnchorsOfAPageAreReadTogether() {
        LeaseFilter shop = LeaseFilter.namespacePrefix("shop");
        for (int i = 0; i < 20; i++) {
            Anchor anchor = ann.anchor("worker-" + i, Duration.ofSeconds(30));
            ann.tryAcquire(Key.of("shop", "key-" + i), OPTIONS.under(anchor)).orThrow();
        }
        Calls before = store.calls();

        assertThat(bob.list(shop)).hasSize(20);

        assertThat(store.calls().since(before)).isEqualTo(new Calls(0, 0, 1, 1));
    }

    @Test
    void aLeaseIsReadTogetherWithItsCachedAnchor() {
        Duration term = Duration.ofSeconds(10);
        Anchor first = bob.anchor("worker", term);
        bob.tryAcquire(KEY, OPTIONS.under(first)).orThrow();
        assertCosts(0, 2, () -> assertThat(isHeld(ann)).isTrue());
        assertCosts(0, 1, () -> assertThat(isHeld(ann)).isTrue());

        first.release();
        assertCosts(0, 1, () -> assertThat(isHeld(ann)).isFalse());

        Anchor second = bob.anchor("worker", term);
        bob.tryAcquire(KEY, OPTIONS.under(second)).orThrow();
        assertCosts(0, 1, () -> assertThat(isHeld(ann)).isTrue());
    }

    private static boolean isHeld(Leases by) {
        return by.get(KEY).orElseThrow().isHeld();
    }
}
