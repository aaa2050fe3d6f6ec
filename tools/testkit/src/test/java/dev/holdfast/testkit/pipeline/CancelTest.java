package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a grant is released if its request was cancelled, however close the two events are. */
class CancelTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases ann = Holdfast.open(store, options("ann").build());

    private LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).environment(runtime);
    }

    @AfterEach
    void close() {
        ann.close();
        runtime.close();
    }

    /** Lets many terms pass, because a leaked lease would be renewed again and again. */
    private void assertStaysFree(Key key) {
        runtime.advance(TERM.multipliedBy(10));
        assertThat(ann.get(key).orElseThrow().entry().state()).isEqualTo(LeaseState.FREE);
    }

    /** A listener that cancels a future after its client was granted the key and before the client reports that. */
    private static final class Canceller implements LeaseListener {
        private CompletableFuture<?> future = new CompletableFuture<>();

        @Override
        public void onGranted(Key key, Fence fence) {
            future.cancel(false);
        }
    }

    @Test
    void aGrantThatArrivesWhileItsFutureIsCancelledIsReleased() {
        Canceller canceller = new Canceller();
        Lease lease = ann.tryAcquire(KEY, OPTIONS).orThrow();
        try (Leases bob =
                Holdfast.open(store, options("bob").listener(canceller).build())) {
            canceller.future = bob.async().acquire(KEY, OPTIONS, LONG).toCompletableFuture();

            lease.release();

            assertThat(canceller.future).isCancelled();
            assertStaysFree(KEY);
        }
    }

    @Test
    void anAnchorThatArrivesWhileItsFutureIsCancelledIsReleased() {
        Canceller canceller = new Canceller();
        Anchor anchor = ann.anchor("worker", TERM);
        try (Leases bob =
                Holdfast.open(store, options("bob").listener(canceller).build())) {
            canceller.future = bob.async().anchor("worker", TERM).toCompletableFuture();

            anchor.close();

            assertThat(canceller.future).isCancelled();
            assertStaysFree(Key.ofAnchor(Holder.of("worker")));
        }
    }

    @Test
    void aGrantThatArrivesWithAnInterruptIsReleased() {
        Lease lease = ann.tryAcquire(KEY, OPTIONS).orThrow();
        InterruptingRuntime interrupting = new InterruptingRuntime(runtime, lease::release);
        Leases bob =
                Holdfast.open(store, options("bob").environment(interrupting).build());

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> bob.acquire(KEY, OPTIONS, LONG));

        assertThat(ann.get(KEY).orElseThrow().entry().grants())
                .as("bob was granted the key")
                .isEqualTo(2);
        assertStaysFree(KEY);
    }

    @Test
    void aGrantWithALostResponseIsReleasedIfItIsThenCancelled() {
        store.next(StoreFault.LOSE_ANSWER);
        CompletableFuture<AcquireResult> request =
                ann.async().tryAcquire(KEY, OPTIONS).toCompletableFuture();

        request.cancel(false);

        assertStaysFree(KEY);
    }
}
