package dev.holdfast.support;

import dev.holdfast.HoldfastException;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Blocking calls made of asynchronous ones. A thread that is running callbacks may not block; its call is rejected
 * before it is made.
 */
public final class BlockingCalls {
    private BlockingCalls() {}

    /** Waits for the result without a time limit. An interrupt is kept for the caller's next blocking call. */
    public static <T> T uninterruptibly(HostEnvironment hostEnvironment, Supplier<? extends CompletionStage<T>> call) {
        CallbackThread.refuseBlocking();
        CompletableFuture<T> future = call.get().toCompletableFuture();
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                // Also when it is done already: an environment without threads may have callbacks to run.
                hostEnvironment.await(future);
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

    /**
     * Waits for the result, or for an interrupt, which cancels the call.
     *
     * @param release receives a result that came together with the interrupt, so that it is not lost
     */
    public static <T> T interruptibly(
            HostEnvironment hostEnvironment, Supplier<? extends CompletionStage<T>> call, Consumer<T> release)
            throws InterruptedException {
        CallbackThread.refuseBlocking();
        CompletableFuture<T> future = call.get().toCompletableFuture();
        try {
            hostEnvironment.await(future);
        } catch (InterruptedException e) {
            if (!future.cancel(false) && !future.isCompletedExceptionally()) {
                release.accept(future.join());
            }
            throw e;
        }
        return result(future);
    }

    private static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HoldfastException known) {
                // Thrown on another thread: without this, the stack trace would not show the caller.
                known.addSuppressed(new CallSite());
                throw known;
            }
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw e;
        }
    }

    /** The place of a call, as a suppressed exception of its failure. */
    static final class CallSite extends RuntimeException {
        CallSite() {
            super("called from here");
        }
    }
}
