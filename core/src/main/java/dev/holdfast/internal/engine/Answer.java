package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Decision.Held;
import dev.holdfast.internal.rules.Decision.Refusal;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Entry;
import java.time.Duration;
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
     * @param nanos when it was
     */
    record Refused(Refusal refusal, long asked, long nanos) implements Answer {
        /** The same refusal, as it stands at {@code nowNanos} if nothing has changed. */
        Refused at(long nowNanos) {
            if (!(refusal instanceof Held held)) {
                return this;
            }
            Duration left = held.remaining().minusNanos(nowNanos - nanos);
            return new Refused(held.withRemaining(left.isNegative() ? Duration.ZERO : left), asked, nowNanos);
        }
    }
}
