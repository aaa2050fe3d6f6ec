package dev.holdfast.fleet.internal;

import dev.holdfast.internal.Futures;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes many calls, a few at a time. */
final class Window<T> {
    /** Enough to fill the batches of every store, and far below the queues of a client. */
    private static final int SIZE = 256;

    private final Iterator<T> items;
    private final Function<T, ? extends CompletionStage<?>> call;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Serial serial = new Serial(end::completeExceptionally);
    private int underWay;
    private @Nullable Throwable failure;

    private Window(Collection<T> items, Function<T, ? extends CompletionStage<?>> call) {
        this.items = items.iterator();
        this.call = call;
    }

    /** Done when all calls are over; with the first failure, if there was one. Calls after a failure are not made. */
    static <T> CompletableFuture<Void> over(Collection<T> items, Function<T, ? extends CompletionStage<?>> call) {
        Window<T> window = new Window<>(items, call);
        window.serial.run(window::goOn);
        return window.end;
    }

    private void goOn() {
        while (failure == null && underWay < SIZE && items.hasNext()) {
            underWay++;
            Futures.whenDone(begin(items.next()), (value, error) -> serial.run(() -> ended(error)));
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
