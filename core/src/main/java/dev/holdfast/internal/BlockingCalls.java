package dev.holdfast.internal;

import dev.holdfast.HoldfastException;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Turns asynchronous forms into blocking ones. A call that would have to be refused, because its thread is handing out
 * answers, is refused before it is made.
 */
public final class BlockingCalls {
    private BlockingCalls() {}

    /** The result, however long it takes; an interrupt is kept for the caller's next blocking call. */
    public static <T> T uninterruptibly(HostEnvironment hostEnvironment, Supplier<? extends CompletionStage<T>> call) {
        CallbackThread.refuseBlocking();
        CompletableFuture<T> future = WaitingCaller.waitingFor(call).toCompletableFuture();
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                // Also when it is done already: a runtime without threads may have callbacks to run.
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
     * The result, or the interrupt; then the call is cancelled.
     *
     * @param giveBack gets a result that came with the interrupt, so that it is not lost
     */
    public static <T> T interruptibly(
            HostEnvironment hostEnvironment, Supplier<? extends CompletionStage<T>> call, Consumer<T> giveBack)
            throws InterruptedException {
        CallbackThread.refuseBlocking();
        CompletableFuture<T> future = WaitingCaller.waitingFor(call).toCompletableFuture();
        try {
            hostEnvironment.await(future);
        } catch (InterruptedException e) {
            if (!future.cancel(false) && !future.isCompletedExceptionally()) {
                giveBack.accept(future.join());
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
