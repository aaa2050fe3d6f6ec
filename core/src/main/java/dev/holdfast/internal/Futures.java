package dev.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Continues futures without losing what goes wrong on the way. */
public final class Futures {
    private static final Logger log = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /**
     * Calls {@code handler} with the result, or the error and no result. A handler that throws is a bug of ours; plain
     * {@code whenComplete} would hide it in a future that nobody looks at.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // All that could be in it is handled here.
    public static <T> void whenDone(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> handler) {
        stage.whenComplete((value, error) -> {
            try {
                handler.accept(value, error);
            } catch (RuntimeException | Error e) {
                log.error("a continuation failed; this is a bug in Holdfast", e);
                throw e;
            }
        });
    }

    /** What {@code mapper} makes of {@code source}; cancelling it cancels {@code source}. */
    public static <T, R> CompletableFuture<R> map(CompletableFuture<T> source, Function<T, R> mapper) {
        CompletableFuture<R> result = source.thenApply(mapper);
        whenDone(result, (value, error) -> {
            if (result.isCancelled()) {
                source.cancel(false);
            }
        });
        return result;
    }

    /** What was thrown, out of the wrapping that futures put around it. */
    public static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
