package dev.holdfast.internal.waiting;

import dev.holdfast.StoreException;
import dev.holdfast.internal.pipeline.CallWrites;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One request that waits for a key. */
final class WaitingRequest {
    final LeaseRequest.Acquire request;
    /** Its place in the order of questions and answers: only answers to later questions may refuse it. */
    final long begun;

    /** When it began to wait. */
    final long begunNanos;

    /** When it stops waiting for the key to be freed. */
    final long deadlineNanos;

    /** When it stops waiting for any answer of the store. */
    final long lastDeadlineNanos;

    final CompletableFuture<Answer> future = new CompletableFuture<>();

    /**
     * An earlier attempt may have been granted, and another client may have been granted the key since. Never reset
     * during the call.
     */
    volatile boolean uncertain;

    /** Whether an attempt found the key held, so that the request had to wait. */
    volatile boolean waited;

    /** The writes of all its attempts. */
    final CallWrites writes = new CallWrites();

    /** A grant to this request that its caller has not received yet. It is released if the caller leaves without it. */
    volatile @Nullable Entry undelivered;

    volatile HostEnvironment.@Nullable Timer deadline;

    WaitingRequest(
            LeaseRequest.Acquire request, long begun, long begunNanos, long deadlineNanos, long lastDeadlineNanos) {
        this.request = request;
        this.begun = begun;
        this.begunNanos = begunNanos;
        this.deadlineNanos = deadlineNanos;
        this.lastDeadlineNanos = lastDeadlineNanos;
    }

    /** Ends the wait with a failure. Its effect covers the whole call, not only the last attempt. */
    void fail(StoreException failure) {
        boolean overstated = uncertain && failure.effect() == StoreException.Effect.NOT_APPLIED;
        future.completeExceptionally(
                overstated
                        ? failure.about(
                                failure.key().orElse(null),
                                StoreException.Effect.UNKNOWN,
                                "an earlier attempt may have been granted (" + failure.getMessage() + ")")
                        : failure);
    }
}
