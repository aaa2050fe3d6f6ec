package dev.holdfast.internal;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

    /**
     * What {@code mapper} makes of {@code source}. Cancelling it cancels {@code source}; what comes all the same, and
     * so has nobody to go to, goes to {@code giveBack}.
     */
    public static <T, R> CompletableFuture<R> claim(
            CompletableFuture<T> source, Function<T, R> mapper, Consumer<R> giveBack) {
        CompletableFuture<R> result = new CompletableFuture<>();
        whenDone(source, (value, error) -> {
            if (error != null) {
                result.completeExceptionally(cause(error));
                return;
            }
            R mapped;
            try {
                mapped = mapper.apply(Objects.requireNonNull(value));
            } catch (RuntimeException | Error e) {
                // Also what should not happen: the caller waits for an answer.
                result.completeExceptionally(e);
                return;
            }
            if (!result.complete(mapped)) {
                giveBack.accept(mapped);
            }
        });
        whenDone(result, (value, error) -> {
            if (result.isCancelled()) {
                source.cancel(false);
            }
        });
        return result;
    }

    /** What {@code next} makes of {@code first}. Cancelling it cancels whichever of the two is under way. */
    public static <T, R> CompletableFuture<R> chain(
            CompletableFuture<T> first, Function<T, CompletableFuture<R>> next) {
        CompletableFuture<R> result = new CompletableFuture<>();
        whenDone(first, (value, error) -> {
            if (error != null) {
                result.completeExceptionally(cause(error));
                return;
            }
            CompletableFuture<R> second;
            try {
                second = next.apply(Objects.requireNonNull(value));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                return;
            }
            whenDone(result, (any, cancelled) -> second.cancel(false));
            whenDone(second, (last, failure) -> {
                if (failure != null) {
                    result.completeExceptionally(cause(failure));
                } else {
                    result.complete(Objects.requireNonNull(last));
                }
            });
        });
        return result;
    }

    /** The answer of a call that may also throw instead of answering. */
    @SuppressWarnings("IllegalCatch") // Or nothing that the call throws would reach those who wait for its answer.
    public static <T> CompletableFuture<T> contain(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Applies {@code step} again and again until {@code isOver}. Steps that are done at once run in a loop, so that any
     * number of them needs no more stack than one.
     */
    public static <T> CompletableFuture<T> iterate(
            T first, Predicate<T> isOver, Function<T, CompletableFuture<T>> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        iterate(first, isOver, step, result);
        return result;
    }

    @SuppressWarnings("IllegalCatch") // Or a step that throws would leave the result open for ever.
    private static <T> void iterate(
            T first, Predicate<T> isOver, Function<T, CompletableFuture<T>> step, CompletableFuture<T> result) {
        try {
            T current = first;
            while (!isOver.test(current)) {
                CompletableFuture<T> next = step.apply(current);
                if (!next.isDone()) {
                    whenDone(next, (value, error) -> {
                        if (error != null) {
                            result.completeExceptionally(cause(error));
                        } else {
                            iterate(Objects.requireNonNull(value), isOver, step, result);
                        }
                    });
                    return;
                }
                current = next.join();
            }
            result.complete(current);
        } catch (Throwable e) {
            result.completeExceptionally(cause(e));
        }
    }

    /** What was thrown, out of the wrapping that futures put around it. */
    public static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
