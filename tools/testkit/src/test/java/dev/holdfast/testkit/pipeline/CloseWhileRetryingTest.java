package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that requests that wait for their next attempt end when the client is closed: their retry timers end too. */
class CloseWhileRetryingTest {
    private static final Key KEY = Key.of("orders", "42");

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases leases = Holdfast.open(
            store, LeasesOptions.builder().holder("ann").environment(runtime).build());

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private void assertEndsWithTheClient(Call failing, Function<AsyncLeases, CompletionStage<?>> request) {
        store.always(failing, StoreFault.FAIL);
        CompletableFuture<?> result = request.apply(leases.async()).toCompletableFuture();
        assertThat(result).isNotDone();

        leases.close();

        assertThat(result)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("closed");
    }

    @Test
    void aWriteThatWaitsForItsRetryEnds() {
        assertEndsWithTheClient(Call.APPLY, async -> async.tryAcquire(KEY, AcquireOptions.defaults()));
    }

    @Test
    void aWaitThatWaitsForItsRetryEnds() {
        assertEndsWithTheClient(
                Call.APPLY, async -> async.acquire(KEY, AcquireOptions.defaults(), Duration.ofHours(1)));
    }

    @Test
    void aReadThatWaitsForItsRetryEnds() {
        assertEndsWithTheClient(Call.READ, async -> async.get(KEY));
    }

    @Test
    void aListingThatWaitsForItsRetryEnds() {
        assertEndsWithTheClient(Call.SCAN, async -> async.list(LeaseFilter.all(), null, 10));
    }

    @Test
    void aCleanUpThatWaitsForItsRetryEnds() {
        assertEndsWithTheClient(Call.SCAN, async -> async.cleanUp(CleanUpOptions.idle(10)));
    }
}
