package dev.holdfast.fleet.internal.units;

import dev.holdfast.internal.Futures;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A series of calls, with a limited number in flight at a time. */
public final class ConcurrentCalls<T> {
    /** Enough to fill the batches of every store, and far below the limits of a client's queues. */
    private static final int SIZE = 256;

    private final Iterator<T> items;
    private final Function<T, ? extends CompletionStage<?>> call;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final SerialExecutor serialExecutor = new SerialExecutor(end::completeExceptionally);
    private int underWay;
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
        concurrentCalls.serialExecutor.run(concurrentCalls::goOn);
        return concurrentCalls.end;
    }

    private void goOn() {
        while (failure == null && underWay < SIZE && items.hasNext()) {
            underWay++;
            Futures.whenDone(begin(items.next()), (value, error) -> serialExecutor.run(() -> ended(error)));
        }
        if (underWay == 0 && failure != null) {
            end.completeExceptionally(failure);
        } else if (underWay == 0) {
            end.complete(null);
        }
    }

    private CompletionStage<?> begin(T item) {
        try {
            return call.apply(item);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void ended(@Nullable Throwable error) {
        underWay--;
        failure = failure == null && error != null ? Futures.cause(error) : failure;
        goOn();
    }
}
