package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreFeature;
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

/** What the tests of a client share: clients, options, and ways to let time pass. */
abstract class LeasesContractBase {
    static final Key KEY = Key.of("order-42");

    /** How far time moves between two looks at what is to happen soon. */
    private static final Duration MOMENT = Duration.ofMillis(5);

    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private final Map<String, Leases> clients = new LinkedHashMap<>();

    /** Opens a client in this name, which renews in the background. All clients of one test share one fresh store. */
    protected abstract Leases open(String holder);

    /** Like {@link #open}, but a client that does nothing in the background: a process that no longer runs. */
    protected abstract Leases openWithoutThreads(String holder);

    /** Lets this much time pass, for clients and store, and lets what is due meanwhile happen. Real time may sleep. */
    protected abstract void elapse(Duration time);

    /**
     * Waits until all that clients sent has arrived. Nothing to do where what is sent has arrived when the call returns;
     * with a network in between, a wait that was cancelled here may be granted there for a moment.
     */
    protected void settled() {}

    /** The term that tests use. With real time a second or two: much shorter, and a busy machine breaks it. */
    protected Duration term() {
        return Duration.ofSeconds(30);
    }

    /** The {@code step} of the store's traits. */
    protected Duration step() {
        return Duration.ZERO;
    }

    /**
     * The dialect of the store's traits. A test of what it lacks is left out, and reported as such; that it is refused is
     * a test of its own.
     */
    protected StoreDialect dialect() {
        return StoreDialect.NATIVE;
    }

    final boolean has(StoreFeature storeFeature) {
        return !dialect().lacks(storeFeature);
    }

    /** Leaves the test out where one of these is lacking. */
    final void needs(StoreFeature... powers) {
        for (StoreFeature storeFeature : powers) {
            Assumptions.assumeTrue(
                    has(storeFeature), () -> "layout " + dialect().name() + " lacks " + storeFeature);
        }
    }

    /** The fence of a lease, or what is said in its place where there is none. */
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

    /** A client that is dead, as far as the others can tell. */
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

    /** The most that may be shown as time left: the term, which tables of other tools may round up to a second. */
    final Duration longestLeft() {
        return dialect().expires() ? term().plusSeconds(1) : term();
    }

    /** How long a beat must have stood before others may take the key. */
    final Duration patience() {
        return term().plus(term().dividedBy(1000)).plus(step());
    }

    /** Lets so much time pass that whoever was silent can be overruled. */
    final void outlast() {
        elapse(patience().plus(MOMENT));
    }

    /** Waits for the silent holder of {@code key} to be overruled. */
    final Lease takeOver(Leases by, Key key) {
        CompletableFuture<AcquireResult> taken =
                by.async().acquire(key, unrenewed(), patience().multipliedBy(3)).toCompletableFuture();
        outlast();
        return soon(taken).orThrow();
    }

    /** The result, letting time pass in small steps until it is there. */
    final <T> T soon(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        settle(future);
        return future.join();
    }

    /** What it fails with, letting time pass in small steps until it does. */
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

    /** Lets time pass in small steps until this is so. */
    final void until(BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos).as("waited in vain").isLessThan(PATIENCE_NANOS);
            elapse(MOMENT);
        }
    }

    /** Waits until callbacks that are due have begun. They run on other threads: wait for their effect with {@link #until}. */
    final void settleCallbacks(Leases client) {
        CompletableFuture<Void> told = new CompletableFuture<>();
        client.runtime().execute(() -> told.complete(null));
        soon(told);
    }
}
