package dev.holdfast.internal;

import dev.holdfast.model.HoldfastException;
import dev.holdfast.spi.Runtime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Turns asynchronous forms into blocking ones. */
public final class Await {
    private Await() {}

    /** The result, however long it takes; an interrupt is kept for the caller's next blocking call. */
    public static <T> T uninterruptibly(Runtime runtime, CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                await(runtime, future);
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result(future);
    }

    /** The result, or the interrupt; then the stage is cancelled. */
    public static <T> T interruptibly(Runtime runtime, CompletionStage<T> stage) throws InterruptedException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        try {
            await(runtime, future);
        } catch (InterruptedException e) {
            future.cancel(false);
            throw e;
        }
        return result(future);
    }

    /** Also when it is done already: a runtime without threads may have callbacks to run. */
    private static void await(Runtime runtime, CompletableFuture<?> future) throws InterruptedException {
        if (!future.isDone()) {
            Delivery.refuseBlocking();
        }
        runtime.await(future);
    }

    private static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HoldfastException known) {
                // Thrown on another thread: without this, nobody could tell which call it was.
                known.addSuppressed(new CallSite());
                throw known;
            }
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw e;
        }
    }

    /** Where the call was made whose exception carries this. */
    static final class CallSite extends RuntimeException {
        CallSite() {
            super("called from here");
        }
    }
}
