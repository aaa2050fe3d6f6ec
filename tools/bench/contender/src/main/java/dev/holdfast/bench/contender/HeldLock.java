package dev.holdfast.bench.contender;

import java.util.concurrent.CompletionStage;

/** A lock that a contender was granted. */
public interface HeldLock {
    void release() throws Exception;

    default CompletionStage<?> releaseAsync() {
        throw new UnsupportedOperationException("blocking only");
    }

    /** Begins a new term; only called if the client does not renew by itself. */
    default void renew() throws Exception {
        throw new UnsupportedOperationException("renews by itself");
    }

    /** Ends the lock so that it is never granted again. */
    default void done() throws Exception {
        throw new UnsupportedOperationException("no done state");
    }

    default CompletionStage<?> doneAsync() {
        throw new UnsupportedOperationException("blocking only");
    }
}
