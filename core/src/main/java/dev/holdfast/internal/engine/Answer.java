package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Decision.Refusal;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Entry;
import org.jspecify.annotations.Nullable;

/** What became of a request. */
public sealed interface Answer {
    /**
     * It was written.
     *
     * @param entry as written; null if it was removed
     */
    record Applied(@Nullable Entry entry, Moment firstSent, Moment lastSent, Moment answered) implements Answer {}

    /** There was nothing to write: it was so already. */
    record Unneeded(@Nullable Entry entry) implements Answer {}

    /**
     * It was refused.
     *
     * @param asked the place of the question that got this answer, see {@link Seen#asked}
     */
    record Refused(Refusal refusal, long asked) implements Answer {}
}
