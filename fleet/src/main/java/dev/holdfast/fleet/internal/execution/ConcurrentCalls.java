package dev.holdfast.fleet.internal.execution;

import dev.holdfast.support.Futures;
import java.util.Collection;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;

/** A series of calls, with a limited number in flight at a time. */
public final class ConcurrentCalls {
    /** Enough to fill the batches of every store, and far below the limits of a client's queues. */
    private static final int IN_FLIGHT_MAX = 256;

    private ConcurrentCalls() {}

    /**
     * Completes when all calls have completed, with a failure if there was one. No further calls are made after a
     * failure.
     */
    public static <T> CompletableFuture<Void> over(
            Collection<T> items, Function<T, ? extends CompletionStage<?>> call) {
        Queue<T> remaining = new ConcurrentLinkedQueue<>(items);
        return CompletableFuture.allOf(Stream.generate(() -> callInTurn(remaining, call))
                .limit(Math.min(items.size(), IN_FLIGHT_MAX))
                .toArray(CompletableFuture<?>[]::new));
    }

    private static <T> CompletableFuture<?> callInTurn(
            Queue<T> remaining, Function<T, ? extends CompletionStage<?>> call) {
        return Futures.iterate(
                        Optional.ofNullable(remaining.poll()),
                        Optional::isEmpty,
                        item -> call.apply(item.orElseThrow())
                                .toCompletableFuture()
                                .thenApply(done -> Optional.ofNullable(remaining.poll())))
                .whenComplete((end, error) -> {
                    if (error != null) {
                        remaining.clear();
                    }
                });
    }
}
