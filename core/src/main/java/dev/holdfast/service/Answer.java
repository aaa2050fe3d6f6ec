package dev.holdfast.service;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision.Held;
import dev.holdfast.rules.Decision.Lost;
import dev.holdfast.rules.Decision.Refusal;
import dev.holdfast.store.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The answer to a request. */
public sealed interface Answer {
    /**
     * The request was written.
     *
     * @param entry as written; null if it was removed
     * @param found whether another call with the same token had made the grant before: that caller may rely on it, so
     *     it must not be released
     */
    record Applied(
            @Nullable Entry entry, ClockReading firstSent, ClockReading lastSent, ClockReading answered, boolean found)
            implements Answer {
        public Applied(@Nullable Entry entry, ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
            this(entry, firstSent, lastSent, answered, false);
        }
    }

    /**
     * There was nothing to write: the key was already in the requested state.
     *
     * @param uncertain whether an earlier write of the same request may have been applied and overwritten since
     */
    record Unneeded(@Nullable Entry entry, boolean uncertain) implements Answer {
        public Unneeded(@Nullable Entry entry) {
            this(entry, false);
        }
    }

    /**
     * The request was refused.
     *
     * @param asked the place of the question that got this answer, see {@link
     *     dev.holdfast.rules.ObservedEntry#asked}
     * @param nanos when it was refused
     * @param uncertain whether an earlier write of the same request may have been applied and overwritten since
     */
    record Refused(Refusal refusal, long asked, long nanos, boolean uncertain) implements Answer {
        public Refused(Refusal refusal, long asked, long nanos) {
            this(refusal, asked, nanos, false);
        }

        /** The same refusal, as it is at {@code nowNanos} if nothing has changed. */
        public Refused at(long nowNanos) {
            if (!(refusal instanceof Held held)) {
                return this;
            }
            Duration left = held.remaining().minusNanos(nowNanos - nanos);
            return new Refused(
                    held.withRemaining(left.isNegative() ? Duration.ZERO : left), asked, nowNanos, uncertain);
        }
    }

    /** Whether the request may have had an effect although this is not {@link Applied}. */
    default boolean mayHaveHadEffect() {
        return (this instanceof Unneeded unneeded && unneeded.uncertain)
                || (this instanceof Refused refused && refused.uncertain);
    }

    /**
     * This answer.
     *
     * @throws LeaseLostException if the token of the request does not hold {@code key}
     */
    default Answer unlessLost(Key key) {
        if (this instanceof Refused refused && refused.refusal instanceof Lost lost) {
            throw new LeaseLostException(key, lost.reason());
        }
        return this;
    }
}
