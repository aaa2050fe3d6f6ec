package dev.holdfast.fleet.internal.callback;

import dev.holdfast.internal.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a user's code. It may wait for a thread before it begins, and until then it can be dropped. However it ends,
 * and if it is dropped, {@link #over} completes.
 *
 * <p>Thread-safe.
 */
public final class UserCall {
    private final AtomicBoolean decided = new AtomicBoolean();
    private volatile boolean dropped;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    /** A call that begins now and ends with the stage that {@code code} returns. All that can go wrong ends it, too. */
    static UserCall of(Supplier<? extends @Nullable CompletionStage<?>> code) {
        UserCall call = new UserCall();
        call.begin();
        try {
            CompletionStage<?> stage = code.get();
            if (stage == null) {
                throw new IllegalStateException("a handler returned null (expected: a stage)");
            }
            Futures.whenDone(stage, (value, error) -> call.end(error));
        } catch (Throwable e) {
            // An Error too, as the worker must go on whatever a user's code does.
            call.end(e);
        }
        return call;
    }

    /** Whether it may begin now: false if it was dropped. */
    boolean begin() {
        boolean mine = decided.compareAndSet(false, true);
        if (mine) {
            begun.complete(true);
        }
        return mine;
    }

    void end(@Nullable Throwable error) {
        if (error == null) {
            over.complete(true);
        } else {
            over.completeExceptionally(Futures.cause(error));
        }
    }

    /** Prevents it from beginning, if it has not begun. */
    public void drop() {
        if (decided.compareAndSet(false, true)) {
            dropped = true;
            over.complete(true);
        }
    }

    public boolean isDropped() {
        return dropped;
    }

    /** Completes when the user's code begins; never if it does not. */
    public CompletableFuture<Boolean> begun() {
        return begun;
    }

    public CompletableFuture<Boolean> over() {
        return over;
    }
}
