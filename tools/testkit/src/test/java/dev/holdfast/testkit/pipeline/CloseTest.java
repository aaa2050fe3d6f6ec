package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that requests inside the store complete when their client is closed; on real threads, which end with it. */
class CloseTest {
    private static final Key KEY = Key.of("orders", "42");

    private final FaultyStore store = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment(), 1, true));
    private final Leases leases = Holdfast.open(store, LeasesOptions.defaults());

    @AfterEach
    void close() {
        store.heal();
        leases.close();
    }

    private CompletableFuture<AcquireResult> acquire() {
        return leases.async().tryAcquire(KEY, AcquireOptions.defaults()).toCompletableFuture();
    }

    private static void assertEndsAsClosed(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("closed");
    }

    @Test
    void aWriteThatFailsAfterTheCloseIsNotRetried() {
        store.next(StoreFault.FAIL).hold();
        CompletableFuture<AcquireResult> result = acquire();
        Eventually.until(() -> store.waiting() == 1);

        leases.close();
        assertThat(result).isNotDone();
        store.letGo();

        assertEndsAsClosed(result);
        assertThat(store.calls().applies()).isEqualTo(1);
    }

    @Test
    void aReadThatFailsAfterTheCloseIsNotRetried() {
        store.next(Call.READ, StoreFault.FAIL).hold();
        CompletableFuture<Optional<LeaseStatus>> result =
                leases.async().get(KEY).toCompletableFuture();
        Eventually.until(() -> store.waiting() == 1);

        leases.close();
        store.letGo();

        assertEndsAsClosed(result);
        assertThat(store.calls().reads()).isEqualTo(1);
    }

    @Test
    void aGrantThatArrivesAfterTheCloseIsNotHeld() {
        store.hold();
        CompletableFuture<AcquireResult> result = acquire();
        Eventually.until(() -> store.waiting() == 1);

        leases.close();
        store.letGo();

        assertEndsAsClosed(result);
    }

    @Test
    void aClosingClientHandsNoKeyOverToItsOwnRequests() {
        try (Leases other = Holdfast.open(store, LeasesOptions.defaults())) {
            Lease held = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            CompletableFuture<AcquireResult> waiting = leases.async()
                    .acquire(KEY, AcquireOptions.defaults().holder("next"), Duration.ofMinutes(1))
                    .toCompletableFuture();
            Eventually.until(() -> leases.explain(KEY).waiting().total() == 1);

            leases.close();

            assertEndsAsClosed(waiting);
            assertThat(other.get(KEY))
                    .hasValueSatisfying(status -> assertThat(status.fence()).isEqualTo(held.fence()));
        }
    }
}
