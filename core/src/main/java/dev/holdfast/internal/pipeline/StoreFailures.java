package dev.holdfast.internal.pipeline;

import dev.holdfast.StoreException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Reads what a store threw. */
public final class StoreFailures {
    private StoreFailures() {}

    /** What a store throws beside its own exception is its bug: then nobody knows what was applied. */
    public static StoreException of(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof StoreException known
                ? known
                : StoreException.unknown("the store failed in an unforeseen way: " + cause, cause);
    }

    /** A batch that the store will never take, whole: one of its rows is to blame. */
    static boolean isOneBadRow(@Nullable Throwable error) {
        StoreException failure = of(error);
        return failure.effect() == StoreException.Effect.NOT_APPLIED && !failure.isRetryable();
    }
}
