package dev.holdfast.service;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Token;
import dev.holdfast.internal.pipeline.RequestPipeline;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.FeatureRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The path of requests to their answers, decided by a {@link RequestPipeline} in this process or by a server. The
 * validity of held leases is built on this interface, so it is the same in both cases.
 *
 * <p>Thread-safe; never blocks. Futures fail with {@link dev.holdfast.StoreException}, or, once closed, with {@link
 * IllegalStateException}. Cancelling the future of an acquire request abandons it: a grant that comes nevertheless is
 * released.
 */
public interface LeaseService {
    /** Carries out a request within the usual time. */
    CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest);

    /** Carries out a request that is given up at {@code deadlineNanos}. */
    CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos);

    /** Attempts once to acquire: behind the requests that wait for the same key, if there are any. */
    CompletableFuture<Answer> tryOnce(Key key, LeaseRequest.Acquire request);

    /** Waits for a grant until {@code deadlineNanos}; then the answer is the last refusal. */
    CompletableFuture<Answer> await(Key key, LeaseRequest.Acquire request, long deadlineNanos);

    /** Releases a key. If requests wait for it, the first of them is granted it. */
    CompletableFuture<Answer> release(Key key, Token token);

    /** Frees a key regardless of its holder. */
    CompletableFuture<Answer> evict(Key key, String reason);

    /** Fails all requests that wait for a key. */
    void endWaiting();

    /** How long a holder with this term must have stopped renewing before others may be granted the key. */
    Duration patience(Term term);

    ValidityRules validity();

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
