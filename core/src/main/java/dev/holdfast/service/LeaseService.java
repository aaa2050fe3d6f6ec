package dev.holdfast.service;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.Token;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.FeatureRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The path of requests to their answers. Requests are decided in this process, on a store, or by a server. Clients hold
 * leases through this interface, and a server acts through it for holders in other processes.
 *
 * <p>Thread-safe; never blocks. Futures fail with {@link dev.holdfast.StoreException}, or, once closed, with {@link
 * IllegalStateException}. Cancelling the future of an acquire request abandons it: a grant that comes nevertheless is
 * released.
 */
public interface LeaseService {
    /**
     * The service behind a client.
     *
     * @throws IllegalArgumentException if its asynchronous form is not {@link ServiceBacked}
     */
    static LeaseService of(Leases leases) {
        return of(leases.async());
    }

    /** The same, for the asynchronous form of a client. */
    static LeaseService of(AsyncLeases leases) {
        if (leases instanceof ServiceBacked client) {
            return client.service();
        }
        throw ArgumentCheck.bad(
                "leases",
                leases.getClass().getName(),
                "a client that Holdfast opened, or a wrapper that implements ServiceBacked");
    }

    /**
     * The same service for callers whose threads wait for the answer. An idle store may run a request on such a thread.
     */
    default LeaseService forWaitingCaller() {
        return this;
    }

    /**
     * Runs {@code submissions}, whose requests arrived together and should be written together. They must not block.
     */
    default void together(Runnable submissions) {
        submissions.run();
    }

    /** Carries out a request within the usual time. */
    CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest);

    /** Carries out a request that is given up at {@code deadlineNanos}. */
    CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos);

    /**
     * Acquires a key. Waits up to {@code waitNanos} for its holder; then the answer is the last refusal. Zero attempts
     * once, behind the requests that wait for the same key.
     */
    CompletableFuture<Answer> acquire(Key key, LeaseRequest.Acquire request, long waitNanos);

    /** Releases a key. If requests wait for it, the first of them is granted it. */
    default CompletableFuture<Answer> release(Key key, Token token) {
        return release(key, new LeaseRequest.Release(token));
    }

    /** The same. If the request names a holder that waits for the key here, that one is granted it. */
    CompletableFuture<Answer> release(Key key, LeaseRequest.Release request);

    /**
     * Releases a grant that did not reach its caller, unless it was renewed since, or the same token was granted the key
     * by another call.
     */
    CompletableFuture<Void> releaseUndelivered(Answer.Applied granted);

    /** Frees a key regardless of its holder. */
    CompletableFuture<Answer> evict(Key key, LeaseRequest.EvictByForce request);

    /** The reads. */
    StatusLookup statuses();

    /** The requests that wait in this process, and the late renewals that it saw. */
    default LeaseActivity activity() {
        return LeaseActivity.NONE;
    }

    /** The entry of {@code key} as this process last saw it in the store; null if it did not. */
    @Nullable
    ObservedEntry lastObserved(Key key);

    /** Whether this process decides the requests, on a store; otherwise a server does. */
    boolean decidesHere();

    /** Fails all requests that wait for a key. */
    void endWaiting();

    /** How long a holder with this term must have stopped renewing before others may be granted the key. */
    Duration patience(Term term);

    ValidityRules validity();

    /** The most lines in the histories that the requests of this process write. */
    default int historyLength() {
        return GrantHistory.USUAL_LINES;
    }

    /** The features that requests may use here. */
    FeatureRules features();

    LeaseListener listener();

    HostEnvironment environment();

    default long nanos() {
        return environment().nanos();
    }

    default ClockReading reading() {
        return new ClockReading(environment().nanos(), environment().now());
    }
}
