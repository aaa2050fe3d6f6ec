package dev.holdfast.support;

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

/** Helpers that continue futures without losing errors. */
public final class Futures {
    private static final Logger log = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /**
     * Calls {@code handler} with the result, or the error and no result. A handler that throws is a bug of Holdfast;
     * plain {@code whenComplete} would hide it in a future that is never read.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Both its result and its error are handled here.
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
     * Maps the result of {@code source}. Cancelling the returned future cancels {@code source}. A result that comes
     * nevertheless reaches no caller; it is passed to {@code release}.
     */
    public static <T, R> CompletableFuture<R> claim(
            CompletableFuture<T> source, Function<T, R> mapper, Consumer<R> release) {
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
                // Unexpected errors, too: the caller waits for an answer.
                result.completeExceptionally(e);
                return;
            }
            if (!result.complete(mapped)) {
                release.accept(mapped);
            }
        });
        whenDone(result, (value, error) -> {
            if (result.isCancelled()) {
                source.cancel(false);
            }
        });
        return result;
    }

    /**
     * Continues {@code first} with {@code next}. Cancelling the returned future cancels the one of the two that is
     * under way.
     */
    public static <T, R> CompletableFuture<R> chain(
            CompletableFuture<T> first, Function<T, CompletableFuture<R>> next) {
        return chain(first, next, unwanted -> {});
    }

    /** The same. A result that comes nevertheless reaches no caller; it is passed to {@code release}. */
    public static <T, R> CompletableFuture<R> chain(
            CompletableFuture<T> first, Function<T, CompletableFuture<R>> next, Consumer<R> release) {
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
                } else if (!result.complete(Objects.requireNonNull(last))) {
                    release.accept(last);
                }
            });
        });
        whenDone(result, (value, error) -> {
            if (result.isCancelled()) {
                first.cancel(false);
            }
        });
        return result;
    }

    /** The future of a call. If the call throws instead, the future fails. */
    @SuppressWarnings("IllegalCatch") // Otherwise an exception of the call would not reach the waiting callers.
    public static <T> CompletableFuture<T> contain(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Repeats {@code step} until {@code isOver}. Steps that complete immediately run in a loop, so any number of them
     * needs no more stack than one.
     */
    public static <T> CompletableFuture<T> iterate(
            T first, Predicate<T> isOver, Function<T, CompletableFuture<T>> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        iterate(first, isOver, step, result);
        return result;
    }

    @SuppressWarnings("IllegalCatch") // Otherwise a step that throws would leave the result open for ever.
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

    /** The exception itself, without the wrapper that futures add. */
    public static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
