package dev.holdfast.internal.pipeline;

import dev.holdfast.internal.rules.ObservedEntry;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
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
record CachedEntry(@Nullable StoredEntry stored, long asked, long told, long answeredNanos, long beatSeenNanos) {

    /** @param before what was known of the key; null if nothing was */
    static CachedEntry of(
            @Nullable StoredEntry storedEntry, long asked, long told, long nanos, @Nullable CachedEntry before) {
        if (before != null && before.beat() != null && before.beat().equals(beat(storedEntry))) {
            return new CachedEntry(storedEntry, asked, told, nanos, before.beatSeenNanos);
        }
        return new CachedEntry(storedEntry, asked, told, nanos, nanos);
    }

    @Nullable
    Entry entry() {
        return stored == null ? null : stored.entry();
    }

    ObservedEntry at(long nowNanos) {
        if (stored == null) {
            return ObservedEntry.absent(asked, told);
        }
        return new ObservedEntry(
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

    private static @Nullable Beat beat(@Nullable StoredEntry storedEntry) {
        return storedEntry == null || storedEntry.entry().grant() == null
                ? null
                : storedEntry.entry().grant().beat();
    }
}
