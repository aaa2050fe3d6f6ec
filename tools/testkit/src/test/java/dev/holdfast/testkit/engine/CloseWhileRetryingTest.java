package dev.holdfast.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.memory.MemoryStore;
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

/** What rests before its next attempt when a client is closed ends then: the timer that would wake it ends, too. */
class CloseWhileRetryingTest {
    private static final Key KEY = Key.of("orders", "42");

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases leases = Holdfast.open(
            store, LeasesOptions.builder().holder("ann").runtime(runtime).build());

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
    void aWriteEnds() {
        assertEndsWithTheClient(Call.APPLY, async -> async.tryAcquire(KEY, AcquireOptions.defaults()));
    }

    @Test
    void aWaitEnds() {
        assertEndsWithTheClient(
                Call.APPLY, async -> async.acquire(KEY, AcquireOptions.defaults(), Duration.ofHours(1)));
    }

    @Test
    void aReadEnds() {
        assertEndsWithTheClient(Call.READ, async -> async.get(KEY));
    }

    @Test
    void aListingEnds() {
        assertEndsWithTheClient(Call.SCAN, async -> async.list(LeaseFilter.all(), null, 10));
    }

    @Test
    void aCleanUpEnds() {
        assertEndsWithTheClient(Call.SCAN, async -> async.cleanUp(CleanUpOptions.idle(10)));
    }
}
