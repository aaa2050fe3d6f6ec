package dev.holdfast.internal.rules;

import dev.holdfast.store.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key at the moment of a decision.
 *
 * @param entry null: there is none
 * @param age of the beat when the store answered, by the store's clock; null if the store cannot tell
 * @param sinceAnswer how long ago the answer came, by our own ticker
 * @param sinceFirstSeen how long ago an answer first showed us this beat, by our own ticker
 * @param asked the place, among all questions and answers of this client, of the question that got this answer
 * @param told the place of the answer
 */
public record ObservedEntry(
        @Nullable Entry entry,
        @Nullable Duration age,
        Duration sinceAnswer,
        Duration sinceFirstSeen,
        long asked,
        long told) {

    /** Nothing is stored under the key. */
    public static ObservedEntry absent(long asked, long told) {
        return new ObservedEntry(null, null, Duration.ZERO, Duration.ZERO, asked, told);
    }

    /** Whether this was asked for when {@code other} was known already. */
    boolean isAfter(ObservedEntry other) {
        return asked > other.told;
    }
}
