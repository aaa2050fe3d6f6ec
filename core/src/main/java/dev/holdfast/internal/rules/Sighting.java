package dev.holdfast.internal.rules;

import dev.holdfast.model.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key at the moment of a decision.
 *
 * @param entry null: there is none
 * @param age of the beat when the store answered, by the store's clock; null if the store cannot tell
 * @param sinceAnswer how long ago the answer came, by our own ticker
 * @param sinceFirstSeen how long ago an answer first showed us this beat, by our own ticker
 */
public record Sighting(@Nullable Entry entry, @Nullable Duration age, Duration sinceAnswer, Duration sinceFirstSeen) {
    /** Nothing is stored under the key. */
    public static final Sighting ABSENT = new Sighting(null, null, Duration.ZERO, Duration.ZERO);
}
