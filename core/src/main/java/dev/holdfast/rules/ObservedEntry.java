package dev.holdfast.rules;

import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The store's answer about one key, and its place in time.
 *
 * @param stored null if the store has no entry of the key
 * @param asked the place of the question, in the order of all questions and answers of this client
 * @param answered the place of the answer, in the same order
 * @param answeredNanos when the answer came, by this client's ticker
 * @param beatSeenNanos when an answer first showed this beat, by the same ticker
 */
public record ObservedEntry(
        @Nullable StoredEntry stored, long asked, long answered, long answeredNanos, long beatSeenNanos) {

    /** An answer that came at {@code nanos}, after {@code before}; null if nothing was known before. */
    public static ObservedEntry of(
            @Nullable StoredEntry stored, long asked, long answered, long nanos, @Nullable ObservedEntry before) {
        Beat beat = beat(stored);
        if (before != null && beat != null && beat.equals(beat(before.stored))) {
            return new ObservedEntry(stored, asked, answered, nanos, before.beatSeenNanos);
        }
        return new ObservedEntry(stored, asked, answered, nanos, nanos);
    }

    /** The answer that the store has no entry of the key. */
    public static ObservedEntry absent(long asked, long answered) {
        return new ObservedEntry(null, asked, answered, 0, 0);
    }

    public @Nullable Entry entry() {
        return stored == null ? null : stored.entry();
    }

    /** Whether the question was sent after {@code other} was answered. */
    boolean isAfter(ObservedEntry other) {
        return asked > other.answered;
    }

    /** The age of the beat at {@code now}, by the store's clock; null if the store cannot measure it. */
    @Nullable
    Duration stampedAge(ClockReading now) {
        return stored == null || stored.age() == null ? null : stored.age().plus(sinceAnswer(now));
    }

    /** How long ago the answer came, by this client's ticker. */
    Duration sinceAnswer(ClockReading now) {
        return Duration.ofNanos(now.nanos() - answeredNanos);
    }

    /** How long ago an answer first showed this beat, by this client's ticker. */
    Duration sinceFirstSeen(ClockReading now) {
        return Duration.ofNanos(now.nanos() - beatSeenNanos);
    }

    private static @Nullable Beat beat(@Nullable StoredEntry stored) {
        return stored == null || stored.entry().grant() == null
                ? null
                : stored.entry().grant().beat();
    }
}
