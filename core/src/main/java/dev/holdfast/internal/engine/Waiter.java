package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Request;
import dev.holdfast.spi.Runtime;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One who waits for a key. */
final class Waiter {
    final Request.Acquire request;
    /** Its place among all requests of this engine: only what the store was asked later may refuse it. */
    final long begun;

    /** When it stops waiting for a holder to give way. */
    final long deadlineNanos;

    /** When it stops waiting for the store to say anything at all. */
    final long lastDeadlineNanos;

    final CompletableFuture<Answer> future = new CompletableFuture<>();
    volatile Runtime.@Nullable Timer deadline;

    Waiter(Request.Acquire request, long begun, long deadlineNanos, long lastDeadlineNanos) {
        this.request = request;
        this.begun = begun;
        this.deadlineNanos = deadlineNanos;
        this.lastDeadlineNanos = lastDeadlineNanos;
    }
}
