package dev.holdfast.internal.engine;

import dev.holdfast.LeaseListener;
import dev.holdfast.internal.rules.Abilities;
import dev.holdfast.internal.rules.Belief;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Key;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Carries requests to their answers, wherever they are decided: by an {@link Engine} in this process, or by a server.
 * All that a holder believes is built on this, so that it is the same in both cases.
 *
 * <p>Thread-safe; never blocks. Futures fail with {@link dev.holdfast.spi.StoreException}, or, once closed, with
 * {@link IllegalStateException}. Cancelling the future of a grant abandons it: what comes all the same is given back.
 */
public interface Requests {
    /** Carries out a request within the usual time. */
    CompletableFuture<Answer> submit(Key key, Request request);

    /** Carries out a request that is given up at {@code deadlineNanos}. */
    CompletableFuture<Answer> submit(Key key, Request request, long deadlineNanos);

    /** Tries once for a grant: behind those who wait for the same key, if any do. */
    CompletableFuture<Answer> tryOnce(Key key, Request.Acquire request);

    /** Waits for a grant until {@code deadlineNanos}; then the answer is the last refusal. */
    CompletableFuture<Answer> await(Key key, Request.Acquire request, long deadlineNanos);

    /** Gives a key up: to the first of those who wait for it, if any do. */
    CompletableFuture<Answer> release(Key key, Token token);

    /** Frees a key whoever holds it. */
    CompletableFuture<Answer> evict(Key key, String reason);

    /** Fails all who wait for a holder. */
    void endWaiting();

    /** How long a holder with this term must have been silent before it is overruled. */
    Duration patience(Term term);

    Belief belief();

    /** What can be asked for here. */
    Abilities abilities();

    LeaseListener listener();

    Runtime runtime();

    default long nanos() {
        return runtime().nanos();
    }

    default Moment moment() {
        return new Moment(runtime().nanos(), runtime().now());
    }
}
