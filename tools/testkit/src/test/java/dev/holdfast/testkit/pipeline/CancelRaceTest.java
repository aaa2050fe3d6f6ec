package dev.holdfast.testkit.pipeline;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a request cancelled at the very moment of its grant leaves nothing held, with real threads. Each round
 * starts the two a little further apart, so that they coincide in some rounds. A leaked lease is renewed forever, so
 * the test finds it.
 */
class CancelRaceTest {
    private static final int ROUNDS = 200;
    private static final long APART_NANOS = 1_500;
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults();
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final SystemEnvironment clock = new SystemEnvironment();
    private final MemoryStore store = new MemoryStore(clock, 1, true);
    private final Leases ann = open("ann");
    private final Leases bob = open("bob");

    private Leases open(String holder) {
        return Holdfast.open(store, LeasesOptions.builder().holder(holder).build());
    }

    @AfterEach
    void close() {
        ann.close();
        bob.close();
        clock.close();
    }

    @Test
    void anInterruptDuringTheGrantLeavesNothingHeld() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Key key = Key.of("key-" + round);
            Lease lease = ann.tryAcquire(key, OPTIONS).orThrow();
            FutureTask<AcquireResult> wait = new FutureTask<>(() -> bob.acquire(key, OPTIONS, WAIT));
            Thread waiter = new Thread(wait, "waits for " + key);
            waiter.start();
            Eventually.until(() -> waiter.getState() == Thread.State.WAITING);

            CompletableFuture<Boolean> released = lease.releaseAsync().toCompletableFuture();
            spin(round * APART_NANOS);
            waiter.interrupt();

            releaseUnlessInterrupted(wait);
            released.get(WAIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertNothingIsHeld();
    }

    /** Releases the lease if it was granted before the interrupt. */
    private static void releaseUnlessInterrupted(FutureTask<AcquireResult> wait) throws Exception {
        try {
            wait.get(WAIT.toSeconds(), TimeUnit.SECONDS).granted().ifPresent(Lease::close);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof InterruptedException)) {
                throw e;
            }
        }
    }

    @Test
    void aCancellationDuringTheGrantLeavesNothingHeld() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Key key = Key.of("key-" + round);
            Lease lease = ann.tryAcquire(key, OPTIONS).orThrow();
            CompletableFuture<AcquireResult> wait =
                    bob.async().acquire(key, OPTIONS, WAIT).toCompletableFuture();

            CompletableFuture<Boolean> released = lease.releaseAsync().toCompletableFuture();
            spin(round * APART_NANOS);
            if (!wait.cancel(false)) {
                wait.join().granted().ifPresent(Lease::close);
            }

            released.get(WAIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertNothingIsHeld();
    }

    private static void spin(long nanos) {
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < nanos) {
            Thread.onSpinWait();
        }
    }

    /** Cancelled grants are released in the background, so this may take a moment. */
    private void assertNothingIsHeld() {
        Eventually.until(() -> {
            try (Stream<LeaseStatus> held = ann.list(LeaseFilter.all().state(LeaseState.HELD))) {
                return held.findAny().isEmpty();
            }
        });
    }
}
