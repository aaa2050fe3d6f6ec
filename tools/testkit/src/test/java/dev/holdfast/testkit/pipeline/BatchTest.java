package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.OverloadedException;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Calls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of group commit, on a store with one lane that a test can hold. */
class BatchTest {
    private static final int QUEUE = 20;

    private final FaultyStore store = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment(), 1, true));
    private final Leases leases = Holdfast.open(
            store, LeasesOptions.builder().holder("ann").queueLimit(QUEUE).build());

    @AfterEach
    void close() {
        store.heal();
        leases.close();
    }

    private CompletableFuture<AcquireResult> acquire(String name) {
        return leases.async()
                .tryAcquire(Key.of(name), AcquireOptions.defaults())
                .toCompletableFuture();
    }

    /** Holds the store with one request inside, so that later requests are queued. */
    private CompletableFuture<AcquireResult> occupy() {
        store.hold();
        CompletableFuture<AcquireResult> first = acquire("first");
        Eventually.until(() -> store.waiting() == 1);
        return first;
    }

    private static AcquireResult join(CompletableFuture<AcquireResult> future) {
        return future.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void queuedRequestsShareOneApply() {
        List<CompletableFuture<AcquireResult>> all = new ArrayList<>();
        all.add(occupy());
        IntStream.range(0, QUEUE).forEach(i -> all.add(acquire("key-" + i)));
        assertThat(store.calls().applies()).isEqualTo(1);

        store.letGo();

        assertThat(all).allMatch(future -> join(future).isGranted());
        assertThat(store.calls().applies()).isEqualTo(2);
        assertThat(store.calls().changes()).isEqualTo(1 + QUEUE);
    }

    @Test
    void requestsForOneKeyNeverShareABatchAndHaveOneWinner() {
        assertThat(occupy()).isNotDone();
        List<CompletableFuture<AcquireResult>> all = new ArrayList<>();
        IntStream.range(0, 10).forEach(i -> all.add(acquire("contended")));
        store.letGo();

        assertThat(all.stream().filter(future -> join(future).isGranted())).hasSize(1);
        assertThat(store.calls().changes()).isEqualTo(2);
    }

    @Test
    void oneBadRowFailsAloneAndTheOthersSucceed() {
        store.reject(Key.of("key-7"));
        assertThat(occupy()).isNotDone();
        List<CompletableFuture<AcquireResult>> all = new ArrayList<>();
        IntStream.range(0, QUEUE).forEach(i -> all.add(acquire("key-" + i)));
        store.letGo();

        for (int i = 0; i < QUEUE; i++) {
            CompletableFuture<AcquireResult> future = all.get(i);
            if (i != 7) {
                assertThat(join(future).isGranted()).isTrue();
            } else {
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(() -> join(future))
                        .havingCause()
                        .isInstanceOfSatisfying(StoreException.class, e -> {
                            assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED);
                            assertThat(e.isRetryable()).isFalse();
                            assertThat(e.key()).contains(Key.of("key-7"));
                        });
            }
        }
    }

    @Test
    void queuedRequestsAfterAnAbandonedSplitBatchAreServed() {
        store.reject(Key.of("bad"));
        // Callbacks run before the next batch is sent.
        CompletableFuture<Void> heldUp = occupy().thenAccept(granted -> store.hold());
        List<CompletableFuture<AcquireResult>> left = List.of(acquire("bad"), acquire("good"));
        store.letGo();
        heldUp.orTimeout(10, TimeUnit.SECONDS).join();
        Eventually.until(() -> store.waiting() == 1);
        left.forEach(future -> future.cancel(false));
        CompletableFuture<AcquireResult> next = acquire("next");

        store.letGo();

        assertThat(join(next).isGranted()).isTrue();
    }

    @Test
    void requestsBeyondTheQueueLimitAreRefusedAsOverloaded() {
        CompletableFuture<AcquireResult> first = occupy();
        List<CompletableFuture<AcquireResult>> queued = new ArrayList<>();
        IntStream.range(0, QUEUE).forEach(i -> queued.add(acquire("key-" + i)));

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> acquire("one too many").join())
                .havingCause()
                .isInstanceOfSatisfying(OverloadedException.class, e -> {
                    assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED);
                    assertThat(e).hasMessageContaining("overloaded: " + QUEUE);
                });

        store.letGo();
        assertThat(join(first).isGranted()).isTrue();
        assertThat(queued).allMatch(future -> join(future).isGranted());
    }

    @Test
    void requestsOfHoldersAreAcceptedWhenNewAcquiresAreRefused() {
        Lease lease = join(acquire("mine")).orThrow();
        assertThat(occupy()).isNotDone();
        List<CompletableFuture<AcquireResult>> queued = new ArrayList<>();
        IntStream.range(0, QUEUE).forEach(i -> queued.add(acquire("key-" + i)));

        CompletableFuture<Void> renewed = lease.renewAsync().toCompletableFuture();
        assertThat(renewed).isNotDone();
        store.letGo();

        renewed.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(queued).allMatch(future -> join(future).isGranted());
    }

    @Test
    void theAnchorsOfAPageAreOneBatchOnAStoreWithLanesToo() {
        for (int i = 0; i < QUEUE; i++) {
            Anchor anchor = leases.anchor("worker-" + i, Duration.ofSeconds(30));
            leases.tryAcquire(
                    Key.of("shop", "key-" + i), AcquireOptions.defaults().under(anchor));
        }
        Calls before = store.calls();

        assertThat(leases.list(LeaseFilter.namespacePrefix("shop"))).hasSize(QUEUE);

        assertThat(store.calls().since(before)).isEqualTo(new Calls(0, 0, 1, 1));
    }
}
