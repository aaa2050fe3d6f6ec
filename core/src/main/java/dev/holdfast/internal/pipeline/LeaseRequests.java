package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Term;
import dev.holdfast.Token;
import dev.holdfast.internal.rules.ClockReading;
import dev.holdfast.internal.rules.FeatureRules;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.internal.rules.ValidityRules;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Carries requests to their answers, wherever they are decided: by an {@link RequestPipeline} in this process, or by a server.
 * All that a holder believes is built on this, so that it is the same in both cases.
 *
 * <p>Thread-safe; never blocks. Futures fail with {@link dev.holdfast.StoreException}, or, once closed, with
 * {@link IllegalStateException}. Cancelling the future of a grant abandons it: what comes all the same is given back.
 */
public interface LeaseRequests {
    /** Carries out a request within the usual time. */
    CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest);

    /** Carries out a request that is given up at {@code deadlineNanos}. */
    CompletableFuture<Answer> submit(Key key, LeaseRequest leaseRequest, long deadlineNanos);

    /** Tries once for a grant: behind those who wait for the same key, if any do. */
    CompletableFuture<Answer> tryOnce(Key key, LeaseRequest.Acquire request);

    /** Waits for a grant until {@code deadlineNanos}; then the answer is the last refusal. */
    CompletableFuture<Answer> await(Key key, LeaseRequest.Acquire request, long deadlineNanos);

    /** Gives a key up: to the first of those who wait for it, if any do. */
    CompletableFuture<Answer> release(Key key, Token token);

    /** Frees a key whoever holds it. */
    CompletableFuture<Answer> evict(Key key, String reason);

    /** Fails all who wait for a holder. */
    void endWaiting();

    /** How long a holder with this term must have been silent before it is overruled. */
    Duration patience(Term term);

    ValidityRules validity();

    /** What can be asked for here. */
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
