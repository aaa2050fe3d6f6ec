package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.Token;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of reads and scans that fail: they are retried only if a retry may help. */
class ReadTroubleTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Duration OPERATION = Duration.ofSeconds(10);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder()
                    .holder("ann")
                    .environment(runtime)
                    .operationTimeout(OPERATION)
                    .build());

    @AfterEach
    void close() {
        store.heal();
        leases.close();
        runtime.close();
    }

    private CompletableFuture<Optional<LeaseStatus>> get() {
        return leases.async().get(KEY).toCompletableFuture();
    }

    private CompletableFuture<StatusPage> list() {
        return leases.async().list(LeaseFilter.all(), null, 10).toCompletableFuture();
    }

    private CompletableFuture<Boolean> releaseByToken() {
        return leases.async().release(KEY, Token.of(UUID.randomUUID())).toCompletableFuture();
    }

    private static void assertFailed(CompletionStage<?> stage, boolean retryable) {
        assertThat(stage.toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isRetryable()).isEqualTo(retryable));
    }

    @Test
    void aRejectedReadFailsWithoutARetry() {
        store.always(Call.READ, StoreFault.REJECT).always(Call.SCAN, StoreFault.REJECT);

        assertFailed(get(), false);
        assertFailed(list(), false);
        assertFailed(releaseByToken(), false);
    }

    @Test
    void aTransientFailureIsRetried() {
        leases.tryAcquire(KEY, AcquireOptions.defaults());
        store.next(Call.READ, StoreFault.FAIL, StoreFault.CRASH).next(Call.SCAN, StoreFault.LOSE_ANSWER);
        CompletableFuture<Optional<LeaseStatus>> status = get();
        CompletableFuture<StatusPage> page = list();

        runtime.advance(MOMENT);

        assertThat(status.join()).isPresent();
        assertThat(page.join().statuses()).hasSize(1);
    }

    @Test
    void aLastingFailureFailsAtTheTimeoutAndNotEarlier() {
        store.always(Call.READ, StoreFault.FAIL).always(Call.SCAN, StoreFault.FAIL);
        CompletableFuture<Optional<LeaseStatus>> status = get();
        CompletableFuture<StatusPage> page = list();
        CompletableFuture<Boolean> released = releaseByToken();

        runtime.advance(OPERATION.minus(MOMENT).minus(MOMENT));
        assertThat(status).isNotDone();
        assertThat(page).isNotDone();
        assertThat(released).isNotDone();
        runtime.advance(MOMENT.plus(MOMENT));

        assertFailed(status, true);
        assertFailed(page, true);
        assertFailed(released, true);
    }

    /** A read changes nothing, so a request that failed during its read was not applied. */
    @Test
    void aRequestThatFailedToReadIsReportedAsNotApplied() {
        store.always(Call.READ, StoreFault.LOSE_ANSWER);
        CompletableFuture<Boolean> released = releaseByToken();

        runtime.advance(OPERATION);

        assertThat(released)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
    }
}
