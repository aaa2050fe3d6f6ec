package dev.holdfast.internal.pipeline;

import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The consequence of an answer of the store, or of its absence, for one request. */
sealed interface Conclusion {
    /** The caller gets this answer. */
    record Answered(Answer answer) implements Conclusion {}

    /** The request was applied, but no caller waits for it any more. A grant is released; other effects stay. */
    record Undeliverable(@Nullable Entry entry) implements Conclusion {}

    /** The caller gets this failure. */
    record Failed(RuntimeException failure) implements Conclusion {}

    /** The rules failed: this is a bug, or a value beyond all bounds. */
    record Undecidable(Throwable cause) implements Conclusion {}

    /** The request goes back to the queue: its key has changed. */
    record Requeue() implements Conclusion {}

    /** The store failed for now: the request continues after a delay. */
    record RetryAfter(Duration delay) implements Conclusion {}
}
