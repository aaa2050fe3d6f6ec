package dev.holdfast.fleet.internal.execution;

import dev.holdfast.support.Futures;
import java.time.Duration;
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
    private final String callName;
    private final Duration limit;
    private final WorkerStepLoop stepLoop;
    /** True if the call has begun, false if it was dropped. */
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private volatile long sinceNanos;

    /** @param limit how long the call may wait for a thread, and then how long it may run */
    CallbackExecution(String callName, Duration limit, WorkerStepLoop stepLoop) {
        this.callName = callName;
        this.limit = limit;
        this.stepLoop = stepLoop;
        this.sinceNanos = stepLoop.nanos();
    }

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
        sinceNanos = stepLoop.nanos();
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

    /** Returns since when the call has waited for a thread, or has run. */
    long sinceNanos() {
        return sinceNanos;
    }

    private Duration age() {
        return Duration.ofNanos(stepLoop.nanos() - sinceNanos);
    }

    boolean isStuck() {
        return age().compareTo(limit) > 0;
    }

    @Override
    public String toString() {
        String time = age().toMillis() + " ms";
        return callName + (begun.isDone() ? " has run for " + time : " has waited " + time + " for a thread")
                + " (expected: <= " + limit.toMillis() + " ms)";
    }
}
