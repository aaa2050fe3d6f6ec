package dev.holdfast.internal.pipeline;

import dev.holdfast.StoreException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The failures of stores, as exceptions of one type. */
public final class StoreFailures {
    private StoreFailures() {}

    /** Any other exception than a {@link StoreException} is a bug of the store: then the effect is unknown. */
    public static StoreException of(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof StoreException known
                ? known
                : StoreException.unknown("the store failed in an unforeseen way: " + cause, cause);
    }

    /** Whether the store will never accept the batch as a whole, because one of its rows is bad. */
    static boolean isOneBadRow(@Nullable Throwable error) {
        StoreException failure = of(error);
        return failure.effect() == StoreException.Effect.NOT_APPLIED && !failure.isRetryable();
    }
}
