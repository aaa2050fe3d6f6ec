package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * The fixture of the groups of {@link LeasesContract}: its clients and their time, which an implementation supplies, and
 * the steps that tests are made of.
 */
interface LeasesSteps {
    Key KEY = Key.of("order-42");
    Key OTHER = Key.of("other");
    Key WORKER = Key.ofAnchor(Holder.of("worker"));

    /** How far time moves between two checks of a condition. */
    Duration MOMENT = Duration.ofMillis(5);

    long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    /**
     * Opens a client with this holder name, which renews in the background. All clients of one test share one new
     * store.
     */
    Leases open(String holder);

    /** Opens a client that does nothing in the background, like a process that no longer runs. */
    Leases openWithoutThreads(String holder);

    /** Lets {@code time} pass for clients and store. Sleeps; on a manual clock, override it to advance that. */
    default void elapse(Duration time) {
        long deadlineNanos = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = deadlineNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /**
     * Waits until all requests that clients sent have arrived. Does nothing by default, for clients with requests that
     * have arrived when the call returns. With a network in between, a wait that the client cancelled may still be
     * granted by the server for a moment.
     */
    default void settled() {}

    /** The term that tests use. On real time a second or two: with a much shorter one, tests fail on a busy machine. */
    default Duration term() {
        return Duration.ofSeconds(30);
    }

    /** The {@code step} of the store's traits. */
    default Duration step() {
        return Duration.ZERO;
    }

    /**
     * The dialect of the store's traits. Tests of features that it lacks are skipped, and reported as skipped. Other
     * tests check that such features are refused.
     */
    default StoreDialect dialect() {
        return StoreDialect.NATIVE;
    }

    /** The open clients of this test by name. They are closed when it ends. */
    Map<String, Leases> clients();

    default Leases ann() {
        return clients().computeIfAbsent("ann", this::open);
    }

    default Leases bob() {
        return clients().computeIfAbsent("bob", this::open);
    }

    /** A client without background work: to the others it looks dead. */
    default Leases ghost() {
        return clients().computeIfAbsent("ghost", this::openWithoutThreads);
    }

    default boolean has(StoreFeature feature) {
        return !dialect().lacks(feature);
    }

    /** Skips the test if the dialect lacks one of these features. */
    default void needs(StoreFeature... features) {
        for (StoreFeature feature : features) {
            Assumptions.assumeTrue(has(feature), () -> "layout " + dialect().name() + " lacks " + feature);
        }
    }

    default AcquireOptions renewed() {
        return AcquireOptions.defaults().term(term());
    }

    default AcquireOptions unrenewed() {
        return renewed().autoRenew(false);
    }

    /** Acquires a lease that is not renewed in the background. */
    default Lease acquire(Leases by, Key key) {
        return by.tryAcquire(key, unrenewed()).orThrow();
    }

    /** Acquires {@link #KEY}, and renews it in the background. */
    default Lease acquireAndRenew(Leases by) {
        return by.tryAcquire(KEY, renewed()).orThrow();
    }

    /** Acquires the anchor of the worker; skips the test if the dialect has no anchors. */
    default Anchor anchor(Leases by) {
        needs(StoreFeature.ANCHORS);
        return soon(by.async().anchor("worker", term()));
    }

    default Lease under(Leases by, Anchor anchor, Key key) {
        return by.tryAcquire(key, renewed().under(anchor)).orThrow();
    }

    /** Asks for {@link #KEY} and waits. The lease is not renewed in the background. */
    default CompletableFuture<AcquireResult> waitFor(Leases by, Duration wait) {
        return by.async().acquire(KEY, unrenewed(), wait).toCompletableFuture();
    }

    /** Asks for {@link #KEY} by the blocking form, on a thread of its own; returns once that thread waits. */
    default WaitingThread startWaiting(Leases by) {
        return WaitingThread.start(() -> by.acquire(KEY, unrenewed(), aLongTime()));
    }

    default Duration aLongTime() {
        return term().multipliedBy(10);
    }

    /** How long a beat must be unchanged before other clients may take the key. */
    default Duration patience() {
        return term().plus(term().dividedBy(1000)).plus(step());
    }

    /** Lets enough time pass for other clients to take over every lease that was not renewed. */
    default void outlast() {
        elapse(patience().plus(MOMENT));
    }

    /** A token that no lease has. */
    default Token unknownToken() {
        return Token.of(UUID.randomUUID());
    }

    /** Waits until {@code by} has taken over {@code key} from a holder that stopped renewing. */
    default Lease takeOver(Leases by, Key key) {
        CompletionStage<AcquireResult> taken =
                by.async().acquire(key, unrenewed(), patience().multipliedBy(3));
        outlast();
        return soon(taken).orThrow();
    }

    /** The status of {@link #KEY}, which must have one. */
    default LeaseStatus status(Leases by) {
        return by.get(KEY).orElseThrow();
    }

    /** Whether {@link #KEY} is held; not if it was never leased. */
    default boolean isHeld(Leases by) {
        return by.get(KEY).map(LeaseStatus::isHeld).orElse(false);
    }

    /** The fence of a lease, or {@link Fence#NONE} if the dialect has no fences. */
    default Fence fenceOf(Lease lease) {
        return has(StoreFeature.FENCE) ? lease.fence() : Fence.NONE;
    }

    /**
     * The longest time left that a client may report: the term, which tables of other tools may round up by a second.
     */
    default Duration longestLeft() {
        return dialect().expires() ? term().plusSeconds(1) : term();
    }

    /** The reasons with which {@code lease} reports its loss from now on: one, unless it is reported twice. */
    default List<LostReason> lossesOf(Lease lease) {
        List<LostReason> reasons = new CopyOnWriteArrayList<>();
        lease.onLost(reasons::add);
        return reasons;
    }

    /** Asserts that an acquire or an edit was refused because another holder has the key. */
    default AcquireResult.HeldByAnother assertHeld(Object result) {
        assertThat(result).isInstanceOf(AcquireResult.HeldByAnother.class);
        return (AcquireResult.HeldByAnother) result;
    }

    /** Asserts that {@code by} is refused {@code key} because another holder has it. */
    default void assertHeld(Leases by, Key key) {
        assertHeld(by.tryAcquire(key, renewed()));
    }

    /** Asserts that {@code by} is refused {@code key} because it is done. */
    default AcquireResult.Done assertDone(Leases by, Key key) {
        AcquireResult result = by.tryAcquire(key, renewed());
        assertThat(result).isInstanceOf(AcquireResult.Done.class);
        return (AcquireResult.Done) result;
    }

    /** Asserts that a call is refused because of an argument, with a message that starts with its name and value. */
    default void assertIllegal(ThrowingCallable call, String messageStart) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(messageStart);
    }

    /** Asserts that {@code stage} fails because the lease is lost. */
    default void assertLost(CompletionStage<?> stage) {
        assertThat(failureOf(stage)).isInstanceOf(LeaseLostException.class);
    }

    /** @param reason the expected reason; null for any */
    default void assertLost(ThrowingCallable call, @Nullable LostReason reason) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.key()).isPresent())
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason == null ? e.reason() : reason));
    }

    /** Lets time pass in small steps until {@code stage} is complete, and returns its result. */
    default <T> T soon(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        until(() -> isDoneAfterAMoment(future));
        return future.join();
    }

    /** Lets time pass in small steps until {@code stage} fails, and returns the failure. */
    default Throwable failureOf(CompletionStage<?> stage) {
        try {
            soon(stage);
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (CancellationException e) {
            return e;
        }
        throw new AssertionError("did not fail: " + stage);
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
    default void until(BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos).as("nanoseconds waited").isLessThan(PATIENCE_NANOS);
            elapse(MOMENT);
        }
    }

    /** Waits until due callbacks have begun. They run on other threads: wait for their effects with {@link #until}. */
    default void settleCallbacks(Leases client) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        LeaseService.of(client).environment().execute(() -> reached.complete(null));
        soon(reached);
    }
}
