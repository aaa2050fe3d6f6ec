package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of tokens that change with each renewal when the response of a renewal is lost. */
class ChangingTokenTest {
    private static final Key KEY = Key.of("lock");
    private static final Duration OPERATION = Duration.ofSeconds(10);
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(Duration.ofMinutes(5)).autoRenew(false);
    private static final StoreDialect DIALECT = StoreDialect.of("changing").without(Set.of(StoreFeature.LASTING_TOKEN));

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore inner = new MemoryStore(runtime);
    private final FaultyStore store = FaultyStore.around(new ForwardingStore(inner) {
        @Override
        public StoreTraits traits() {
            StoreTraits traits = inner.traits();
            return new StoreTraits(traits.lanes(), traits.batchLimit(), traits.step(), DIALECT);
        }
    });
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder()
                    .environment(runtime)
                    .operationTimeout(OPERATION)
                    .build());
    private final Leases observer =
            Holdfast.open(inner, LeasesOptions.builder().environment(runtime).build());

    private final Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow();
    private final Token first = lease.token();

    @AfterEach
    void close() {
        store.heal();
        leases.close();
        observer.close();
        runtime.close();
    }

    /** Renews the lease in the store, but the client never receives the response. */
    private void renewWithLostResponse() {
        store.always(Call.APPLY, StoreFault.LOSE_ANSWER);
        CompletableFuture<Void> renewal = lease.renewAsync().toCompletableFuture();
        runtime.advance(OPERATION.multipliedBy(2));
        assertThat(renewal).isCompletedExceptionally();
        assertThat(lease.token()).isEqualTo(first);
        assertThat(observer.get(KEY).orElseThrow().entry().isHeldBy(first)).isFalse();
        store.heal();
    }

    @Test
    void aRenewalWithALostResponseDoesNotCostTheLease() {
        renewWithLostResponse();

        lease.renew();

        assertThat(lease.isHeld()).isTrue();
        assertThat(observer.get(KEY).orElseThrow().entry().isHeldBy(lease.token()))
                .isTrue();
    }

    @Test
    void aLeaseIsReleasedAfterARenewalWithALostResponse() {
        renewWithLostResponse();

        assertThat(lease.release()).isTrue();

        assertThat(observer.get(KEY).orElseThrow().isHeld()).isFalse();
    }

    @Test
    void aReleaseDuringARenewalReleasesTheLease() {
        CompletableFuture<Void> renewal = lease.renewAsync().toCompletableFuture();

        assertThat(lease.release()).isTrue();

        assertThat(renewal).isDone();
        assertThat(observer.get(KEY).orElseThrow().isHeld()).isFalse();
    }

    @Test
    void theGrantOfAnotherHolderIsNotReleased() {
        observer.evict(KEY, "it hangs");
        Lease others = observer.tryAcquire(KEY, OPTIONS).orThrow();

        assertThat(lease.release()).isFalse();

        assertThat(observer.get(KEY).orElseThrow().entry().isHeldBy(others.token()))
                .isTrue();
    }
}
