package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that an update is applied once, and never over a later acknowledged one. */
class UpdateOrderTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(Duration.ofMinutes(5)).autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore inner = new MemoryStore(runtime);
    private final FaultyStore store = FaultyStore.around(inner);
    private final Leases leases = open(store, "ann");
    private final Leases other = open(inner, "bob");

    private Leases open(LeaseStore on, String holder) {
        return Holdfast.open(
                on,
                LeasesOptions.builder()
                        .holder(holder)
                        .withoutCleanUp()
                        .environment(runtime)
                        .build());
    }

    @AfterEach
    void close() {
        store.heal();
        leases.close();
        other.close();
        runtime.close();
    }

    private static CompletableFuture<Void> checkpoint(Lease lease, long value) {
        return lease.updateAsync(AttributePatch.putting("checkpoint", value)).toCompletableFuture();
    }

    private BigDecimal checkpoint() {
        return other.get(KEY)
                .orElseThrow()
                .entry()
                .attributes()
                .number("checkpoint")
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_REQUEST", "LOSE_ANSWER"})
    void aLaterUpdateWaitsForAnEarlierOneInDoubt(StoreFault storeFault) {
        Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow();
        store.next(storeFault);
        CompletableFuture<Void> earlier = checkpoint(lease, 41);
        CompletableFuture<Void> later = checkpoint(lease, 42);
        assertThat(later).isNotDone();

        runtime.advance(Duration.ofSeconds(2));

        assertThat(earlier).isCompleted();
        assertThat(later).isCompleted();
        assertThat(checkpoint()).isEqualTo(BigDecimal.valueOf(42));
    }

    @Test
    void anUpdateInDoubtIsNotRepeatedOverOneOfAnotherProcess() {
        Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow();
        store.next(StoreFault.LOSE_ANSWER);
        CompletableFuture<Void> earlier = checkpoint(lease, 41);
        assertThat(other.async()
                        .renew(
                                KEY,
                                lease.token(),
                                RenewOptions.defaults().attributes(AttributePatch.putting("checkpoint", 42)))
                        .toCompletableFuture())
                .isCompleted();

        runtime.advance(Duration.ofSeconds(2));

        assertThat(earlier)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
        assertThat(checkpoint()).isEqualTo(BigDecimal.valueOf(42));
    }

    @Test
    void requestsBehindOneInDoubtEndWhenTheClientIsClosed() {
        Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow();
        store.always(FaultyStore.Call.APPLY, StoreFault.LOSE_REQUEST);
        CompletableFuture<Void> earlier = checkpoint(lease, 41);
        CompletableFuture<Void> later = checkpoint(lease, 42);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(leases::close);
        Eventually.until(() -> {
            runtime.advance(Duration.ofSeconds(1));
            return closed.isDone();
        });

        assertThat(earlier).isCompletedExceptionally();
        assertThat(later).isCompletedExceptionally();
    }
}
