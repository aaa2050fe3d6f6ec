package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that every call ends within the operation and settle timeouts, although the store never responds. */
class StuckStoreTest {
    private static final Duration OPERATION = Duration.ofMillis(150);
    private static final Duration SETTLE = Duration.ofMillis(150);
    /** Far more than the two timeouts together, and far less than the time for which the store is stuck. */
    private static final long PATIENCE_SECONDS = 10;

    private final MemoryStore inner = new MemoryStore(new CallerThreadEnvironment(), 1, true);
    private final FaultyStore store = FaultyStore.around(inner);
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder()
                    .holder("ann")
                    .operationTimeout(OPERATION)
                    .settleTimeout(SETTLE)
                    .build());

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

    private static StoreException failure(CompletableFuture<?> future) {
        Throwable[] cause = new Throwable[1];
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() ->
                        future.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join())
                .satisfies(e -> cause[0] = e.getCause());
        assertThat(cause[0]).isInstanceOf(StoreException.class);
        return (StoreException) cause[0];
    }

    @Test
    void aRequestStuckInTheStoreFailsAsUnknown() {
        store.hold();
        CompletableFuture<AcquireResult> stuck = acquire("stuck");
        Eventually.until(() -> store.waiting() == 1);

        StoreException failure = failure(stuck);

        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure.key()).contains(Key.of("stuck"));
    }

    @Test
    void aGrantOfAStuckRequestIsReleasedOnceTheStoreResponds() {
        store.hold();
        CompletableFuture<AcquireResult> stuck = acquire("stuck");
        assertThat(failure(stuck).effect()).isEqualTo(Effect.UNKNOWN);

        store.letGo();

        Eventually.until(() -> leases.get(Key.of("stuck"))
                .map(status ->
                        status.state() == LeaseState.FREE && status.entry().grants() == 1)
                .orElse(false));
    }

    @Test
    void aRequestQueuedBehindAStuckOneIsNeverApplied() {
        store.hold();
        CompletableFuture<AcquireResult> stuck = acquire("stuck");
        Eventually.until(() -> store.waiting() == 1);
        CompletableFuture<AcquireResult> sameKey = acquire("stuck");
        CompletableFuture<AcquireResult> otherKey = acquire("other");

        assertThat(failure(otherKey).effect()).isEqualTo(Effect.NOT_APPLIED);
        assertThat(failure(sameKey).effect()).isEqualTo(Effect.NOT_APPLIED);
        assertThat(failure(stuck).effect()).isEqualTo(Effect.UNKNOWN);
        store.letGo();

        // When this request completes, all requests queued before it have gone through the only lane.
        Eventually.until(() -> isGranted("last"));
        assertThat(leases.get(Key.of("other"))).isEmpty();
    }

    private boolean isGranted(String name) {
        try {
            return leases.tryAcquire(name).isGranted();
        } catch (StoreException e) {
            return false;
        }
    }

    @Test
    void aBlockingCallTimesOutToo() {
        store.hold();

        CompletableFuture<AcquireResult> caller = CompletableFuture.supplyAsync(() -> leases.tryAcquire("stuck"));

        assertThat(failure(caller).effect()).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void waitingInAWaitQueueIsBoundedToo() {
        store.hold();
        CompletableFuture<AcquireResult> first = waitFor("stuck");
        CompletableFuture<AcquireResult> second = waitFor("stuck");

        assertThat(failure(first).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure(second).effect()).isEqualTo(Effect.NOT_APPLIED);
    }

    private CompletableFuture<AcquireResult> waitFor(String name) {
        return leases.async()
                .acquire(Key.of(name), AcquireOptions.defaults(), Duration.ofMillis(50))
                .toCompletableFuture();
    }

    @Test
    void readingIsBoundedToo() {
        store.hold();

        assertThat(failure(leases.async().get(Key.of("any")).toCompletableFuture())
                        .effect())
                .isEqualTo(Effect.NOT_APPLIED);
    }
}
