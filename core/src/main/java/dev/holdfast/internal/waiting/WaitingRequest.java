package dev.holdfast.internal.waiting;

import dev.holdfast.StoreException;
import dev.holdfast.internal.pipeline.Answer;
import dev.holdfast.internal.pipeline.CallWrites;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One who waits for a key. */
final class WaitingRequest {
    final LeaseRequest.Acquire request;
    /** Its place among all requests of this engine: only what the store was asked later may refuse it. */
    final long begun;

    /** When it stops waiting for a holder to give way. */
    final long deadlineNanos;

    /** When it stops waiting for the store to say anything at all. */
    final long lastDeadlineNanos;

    final CompletableFuture<Answer> future = new CompletableFuture<>();

    /** An earlier attempt may have been granted, and the grant taken by another since. Stays so for the whole call. */
    volatile boolean uncertain;

    /** What all attempts for it have written. */
    final CallWrites writes = new CallWrites();

    /** A grant of its own that it has not heard of yet; given back if it leaves without it. */
    volatile @Nullable Entry unheard;

    volatile HostEnvironment.@Nullable Timer deadline;

    WaitingRequest(LeaseRequest.Acquire request, long begun, long deadlineNanos, long lastDeadlineNanos) {
        this.request = request;
        this.begun = begun;
        this.deadlineNanos = deadlineNanos;
        this.lastDeadlineNanos = lastDeadlineNanos;
    }

    /** Ends the wait with a failure that says of the whole call, not of its last attempt alone, whether it had an effect. */
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
