package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreFeature;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;

/** The base of the tests of a client: clients, options, and ways to let time pass. */
abstract class LeasesContractBase {
    static final Key KEY = Key.of("order-42");

    /** How far time moves between two checks of a condition. */
    private static final Duration MOMENT = Duration.ofMillis(5);

    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private final Map<String, Leases> clients = new LinkedHashMap<>();

    /**
     * Opens a client with this holder name, which renews in the background. All clients of one test share one new
     * store.
     */
    protected abstract Leases open(String holder);

    /** Opens a client that does nothing in the background, like a process that no longer runs. */
    protected abstract Leases openWithoutThreads(String holder);

    /** Lets {@code time} pass for clients and store, and runs the tasks that become due. On real time, sleeps. */
    protected abstract void elapse(Duration time);

    /**
     * Waits until all requests that clients sent have arrived. Does nothing by default, for clients with requests that
     * have arrived when the call returns. With a network in between, a wait that the client cancelled may still be
     * granted by the server for a moment.
     */
    protected void settled() {}

    /** The term that tests use. On real time a second or two: with a much shorter one, tests fail on a busy machine. */
    protected Duration term() {
        return Duration.ofSeconds(30);
    }

    /** The {@code step} of the store's traits. */
    protected Duration step() {
        return Duration.ZERO;
    }

    /**
     * The dialect of the store's traits. Tests of features that it lacks are skipped, and reported as skipped. Other
     * tests check that such features are refused.
     */
    protected StoreDialect dialect() {
        return StoreDialect.NATIVE;
    }

    final boolean has(StoreFeature storeFeature) {
        return !dialect().lacks(storeFeature);
    }

    /** Skips the test if the dialect lacks one of these features. */
    final void needs(StoreFeature... features) {
        for (StoreFeature storeFeature : features) {
            Assumptions.assumeTrue(
                    has(storeFeature), () -> "layout " + dialect().name() + " lacks " + storeFeature);
        }
    }

    /** The fence of a lease, or {@link Fence#NONE} if the dialect has no fences. */
    final Fence fenceOf(Lease lease) {
        return has(StoreFeature.FENCE) ? lease.fence() : Fence.NONE;
    }

    @AfterEach
    final void closeClients() {
        clients.values().forEach(Leases::close);
    }

    final Leases ann() {
        return clients.computeIfAbsent("ann", this::open);
    }

    final Leases bob() {
        return clients.computeIfAbsent("bob", this::open);
    }

    /** A client without background work: to the others it looks dead. */
    final Leases ghost() {
        return clients.computeIfAbsent("ghost", this::openWithoutThreads);
    }

    final AcquireOptions renewed() {
        return AcquireOptions.defaults().term(term());
    }

    final AcquireOptions unrenewed() {
        return renewed().autoRenew(false);
    }

    final Lease acquire(Leases by, Key key) {
        return by.tryAcquire(key, unrenewed()).orThrow();
    }

    /**
     * The longest time left that a client may report: the term, which tables of other tools may round up by a second.
     */
    final Duration longestLeft() {
        return dialect().expires() ? term().plusSeconds(1) : term();
    }

    /** How long a beat must be unchanged before other clients may take the key. */
    final Duration patience() {
        return term().plus(term().dividedBy(1000)).plus(step());
    }

    /** Lets enough time pass for other clients to take over every lease that was not renewed. */
    final void outlast() {
        elapse(patience().plus(MOMENT));
    }

    /** Waits until {@code by} has taken over {@code key} from a holder that stopped renewing. */
    final Lease takeOver(Leases by, Key key) {
        CompletableFuture<AcquireResult> taken =
                by.async().acquire(key, unrenewed(), patience().multipliedBy(3)).toCompletableFuture();
        outlast();
        return soon(taken).orThrow();
    }

    /** Lets time pass in small steps until {@code stage} is complete, and returns its result. */
    final <T> T soon(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        settle(future);
        return future.join();
    }

    /** Lets time pass in small steps until {@code stage} fails, and returns the failure. */
    final Throwable failureOf(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        settle(future);
        try {
            future.join();
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (CancellationException e) {
            return e;
        }
        throw new AssertionError("did not fail: " + future);
    }

    private void settle(CompletableFuture<?> future) {
        until(() -> isDoneAfterAMoment(future));
    }

    private static boolean isDoneAfterAMoment(CompletableFuture<?> future) {
        try {
            future.get(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return true;
    }

    /** Lets time pass in small steps until {@code condition} is true. */
    final void until(BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos).as("nanoseconds waited").isLessThan(PATIENCE_NANOS);
            elapse(MOMENT);
        }
    }

    /** Waits until due callbacks have begun. They run on other threads: wait for their effects with {@link #until}. */
    final void settleCallbacks(Leases client) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        LeaseService.of(client).environment().execute(() -> reached.complete(null));
        soon(reached);
    }
}
