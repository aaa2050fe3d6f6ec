package dev.holdfast.fleet.internal.execution;

import dev.holdfast.support.Futures;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A series of calls, with a limited number in flight at a time. */
public final class ConcurrentCalls<T> {
    /** Enough to fill the batches of every store, and far below the limits of a client's queues. */
    private static final int IN_FLIGHT_MAX = 256;

    private final Iterator<T> items;
    private final Function<T, ? extends CompletionStage<?>> call;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final SerialExecutor serialExecutor = new SerialExecutor(end::completeExceptionally);
    private int inFlight;
    private @Nullable Throwable failure;

    private ConcurrentCalls(Collection<T> items, Function<T, ? extends CompletionStage<?>> call) {
        this.items = items.iterator();
        this.call = call;
    }

    /**
     * Completes when all calls have completed, with the first failure if there was one. No further calls are made after
     * a failure.
     */
    public static <T> CompletableFuture<Void> over(
            Collection<T> items, Function<T, ? extends CompletionStage<?>> call) {
        ConcurrentCalls<T> concurrentCalls = new ConcurrentCalls<>(items, call);
        concurrentCalls.serialExecutor.run(concurrentCalls::startMore);
        return concurrentCalls.end;
    }

    private void startMore() {
        while (failure == null && inFlight < IN_FLIGHT_MAX && items.hasNext()) {
            inFlight++;
            T item = items.next();
            Futures.whenDone(
                    Futures.contain(() -> call.apply(item).toCompletableFuture().thenApply(any -> true)),
                    (value, error) -> serialExecutor.run(() -> ended(error)));
        }
        if (inFlight == 0 && failure != null) {
            end.completeExceptionally(failure);
        } else if (inFlight == 0) {
            end.complete(null);
        }
    }

    private void ended(@Nullable Throwable error) {
        inFlight--;
        failure = failure == null && error != null ? Futures.cause(error) : failure;
        startMore();
    }
}
