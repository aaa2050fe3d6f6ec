package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The next step of a request: decided by the {@link RequestDecider}, or concluded from the store's answer to a write. */
sealed interface NextStep {
    /** Send this change to the store. */
    record Send(Change change) implements NextStep {}

    /** Read this key, then decide again. */
    record Read(Key key) implements NextStep {}

    /** Evict this expired anchor, then decide again. */
    record EvictAnchor(Key anchor) implements NextStep {}

    /** Put the request back into the queue: its key has changed. */
    record Requeue() implements NextStep {}

    /** Continue after a delay: the store failed for now. */
    record RetryAfter(Duration delay) implements NextStep {}

    /** Give the caller this answer. */
    record Respond(Answer answer) implements NextStep {}

    /** Release a grant that no caller waits for any more. Other requests that were applied stay so. */
    record ReleaseGrant(@Nullable Entry entry) implements NextStep {}

    /** Give the caller this failure. */
    record Fail(RuntimeException failure) implements NextStep {}

    /** Report that the rules failed: this is a bug, or a value beyond all bounds. */
    record ReportBug(Throwable cause) implements NextStep {}

    /** Forget the request: its caller has left, and nothing was sent that could have an effect. */
    record Drop() implements NextStep {}
}
