package dev.holdfast.fleet.internal.execution;

import dev.holdfast.support.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of the user's code. It may wait for a thread before it begins, and can be dropped until then. {@link #over}
 * always completes, however the call ends and also if it is dropped.
 *
 * <p>Thread-safe.
 */
public final class CallbackExecution {
    /** True if the call has begun, false if it was dropped. */
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    /** Begins now, and ends with the stage that {@code code} returns. Any failure ends it too. */
    void run(Supplier<? extends @Nullable CompletionStage<?>> code) {
        begin();
        try {
            CompletionStage<?> stage = code.get();
            if (stage == null) {
                throw new IllegalStateException("a handler returned null (expected: a stage)");
            }
            Futures.whenDone(stage, (value, error) -> end(error));
        } catch (Throwable e) {
            // An Error too: the worker must survive everything that the user's code throws.
            end(e);
        }
    }

    /** Returns whether the call may begin now: false if it was dropped. */
    boolean begin() {
        return begun.complete(true);
    }

    void end(@Nullable Throwable error) {
        if (error == null) {
            over.complete(true);
        } else {
            over.completeExceptionally(Futures.cause(error));
        }
    }

    /** Prevents the call from beginning, unless it has begun. */
    public void drop() {
        if (begun.complete(false)) {
            over.complete(true);
        }
    }

    public boolean isDropped() {
        return !begun.getNow(true);
    }

    /** Runs {@code task} when the user's code begins; never if the call was dropped. */
    public void onBegun(Runnable task) {
        Futures.whenDone(begun, (hasBegun, error) -> {
            if (Boolean.TRUE.equals(hasBegun)) {
                task.run();
            }
        });
    }

    public CompletableFuture<Boolean> over() {
        return over;
    }
}
