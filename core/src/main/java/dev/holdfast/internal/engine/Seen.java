package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Sighting;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the store about one key.
 *
 * @param stored null: there is no entry
 * @param asked the place, among all requests of this engine, of the question that got this answer
 * @param told the place, in the same order, of the answer
 * @param answeredNanos when the answer came
 * @param beatSeenNanos when an answer first showed this beat
 */
record Seen(@Nullable Stored stored, long asked, long told, long answeredNanos, long beatSeenNanos) {

    /** @param before what was known of the key; null if nothing was */
    static Seen of(@Nullable Stored stored, long asked, long told, long nanos, @Nullable Seen before) {
        if (before != null && before.beat() != null && before.beat().equals(beat(stored))) {
            return new Seen(stored, asked, told, nanos, before.beatSeenNanos);
        }
        return new Seen(stored, asked, told, nanos, nanos);
    }

    @Nullable
    Entry entry() {
        return stored == null ? null : stored.entry();
    }

    Sighting at(long nowNanos) {
        if (stored == null) {
            return Sighting.absent(asked, told);
        }
        return new Sighting(
                stored.entry(),
                stored.age(),
                Duration.ofNanos(nowNanos - answeredNanos),
                Duration.ofNanos(nowNanos - beatSeenNanos),
                asked,
                told);
    }

    private @Nullable Beat beat() {
        return beat(stored);
    }

    private static @Nullable Beat beat(@Nullable Stored stored) {
        return stored == null || stored.entry().grant() == null
                ? null
                : stored.entry().grant().beat();
    }
}
