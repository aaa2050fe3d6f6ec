package dev.holdfast.sim.explore;

import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key in the store.
 *
 * @param beatNanos when the beat of the entry was stamped
 */
record StoredKey(@Nullable Entry entry, long beatNanos) {
    static final StoredKey ABSENT = new StoredKey(null, 0);

    /** Whether the store applies a change: the only condition that it knows. */
    boolean accepts(Change change) {
        return entry == null ? change.expected() == null : entry.version().equals(change.expected());
    }

    StoredKey after(Change change, long nowNanos) {
        Entry next = Objects.requireNonNull(change.next());
        boolean isSameBeat = entry != null
                && entry.grant() != null
                && next.grant() != null
                && entry.grant().beat().equals(next.grant().beat());
        return new StoredKey(next, isSameBeat ? beatNanos : nowNanos);
    }

    @Nullable
    StoredEntry read(long nowNanos, boolean hasClock) {
        return entry == null ? null : new StoredEntry(entry, hasClock ? Duration.ofNanos(nowNanos - beatNanos) : null);
    }
}
