package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.internal.rules.ObservedEntry;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The last-seen entries, bounded: they save the read before a write, and remember since when a beat has stood still.
 * Those that must be watched, as the store does not tell their age, have room of their own: neither a long listing nor
 * what we write ourselves makes us forget whom we watch.
 *
 * <p>Room is bounded by count and, as an entry can be 64 KB large, by bytes.
 *
 * <p>What is in here may only start a write, which the store then checks. A refusal needs an answer younger than the
 * request. Forgetting an entry costs a read, or an observation that starts anew; never correctness.
 *
 * <p>Thread-safe; its locks are leaves.
 */
public final class EntryCache {
    private static final int STRIPE_BITS = 4;
    private static final int STRIPES = 1 << STRIPE_BITS;
    /** 2^32 divided by the golden ratio: its product spreads every bit of a hash over the upper ones. */
    private static final int GOLDEN = 0x9E3779B9;

    /** Room for attributes, for each entry that there is room for: most entries have far less. */
    private static final int BYTES_PER_ENTRY = 1024;

    private final Stripe[] stripes = new Stripe[STRIPES];

    /** @param capacity how many of those that are watched are kept, and how many of all others */
    EntryCache(int capacity) {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(Math.max(1, capacity / STRIPES));
        }
    }

    public @Nullable ObservedEntry get(Key key) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return stripe.get(key);
        }
    }

    /** Notes an answer, unless a later question has been answered already. Returns what is now known. */
    ObservedEntry note(Key key, @Nullable StoredEntry storedEntry, long asked, long answered, long nanos) {
        return note(key, storedEntry, isToBeWatched(storedEntry), asked, answered, nanos);
    }

    /**
     * Notes what a listing shows, unless that would push out what was asked for by itself: a listing may show far more
     * than there is room for.
     */
    void noteScanned(StoredEntry storedEntry, long asked, long answered, long nanos) {
        Key key = storedEntry.entry().key();
        boolean watched = isToBeWatched(storedEntry);
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            if (watched || !stripe.others.isFull() || stripe.get(key) != null) {
                note(key, storedEntry, watched, asked, answered, nanos);
            }
        }
    }

    /** Notes an entry that we wrote ourselves just now. Its age is left open: the store did not say. */
    void noteWritten(Key key, @Nullable Entry entry, long asked, long answered, long nanos) {
        note(key, entry == null ? null : new StoredEntry(entry, null), false, asked, answered, nanos);
    }

    private ObservedEntry note(
            Key key, @Nullable StoredEntry storedEntry, boolean watched, long asked, long answered, long nanos) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            ObservedEntry before = stripe.get(key);
            if (before != null && before.asked() > asked) {
                return before;
            }
            ObservedEntry observedEntry = ObservedEntry.of(storedEntry, asked, answered, nanos, before);
            stripe.put(key, observedEntry, watched);
            return observedEntry;
        }
    }

    /** What lives by an anchor is as silent as that. */
    private static boolean isToBeWatched(@Nullable StoredEntry storedEntry) {
        return storedEntry != null
                && storedEntry.age() == null
                && storedEntry.entry().state() == LeaseState.HELD
                && storedEntry.entry().heldThrough() == null;
    }

    private Stripe stripe(Key key) {
        // By other bits than the maps within go by: or a stripe would use one in sixteen of their buckets.
        return stripes[(key.hashCode() * GOLDEN) >>> (Integer.SIZE - STRIPE_BITS)];
    }

    private static final class Stripe {
        private final Latest watched;
        private final Latest others;

        Stripe(int capacity) {
            watched = new Latest(capacity);
            others = new Latest(capacity);
        }

        @Nullable
        ObservedEntry get(Key key) {
            ObservedEntry observedEntry = others.get(key);
            return observedEntry == null ? watched.get(key) : observedEntry;
        }

        void put(Key key, ObservedEntry observedEntry, boolean isWatched) {
            (isWatched ? others : watched).remove(key);
            (isWatched ? watched : others).put(key, observedEntry);
        }
    }

    /** Those that were used last. */
    private static final class Latest {
        private final int capacity;
        private final LinkedHashMap<Key, ObservedEntry> entries = new LinkedHashMap<>(16, 0.75f, true);
        private long bytes;

        Latest(int capacity) {
            this.capacity = capacity;
        }

        @Nullable
        ObservedEntry get(Key key) {
            return entries.get(key);
        }

        void put(Key key, ObservedEntry observedEntry) {
            bytes += size(observedEntry) - size(entries.put(key, observedEntry));
            Iterator<ObservedEntry> eldest = entries.values().iterator();
            // The one that was just put is the last of them, and stays.
            while (entries.size() > 1 && isOverfull()) {
                bytes -= size(eldest.next());
                eldest.remove();
            }
        }

        void remove(Key key) {
            bytes -= size(entries.remove(key));
        }

        boolean isFull() {
            return entries.size() >= capacity || bytes >= (long) capacity * BYTES_PER_ENTRY;
        }

        private boolean isOverfull() {
            return entries.size() > capacity || bytes > (long) capacity * BYTES_PER_ENTRY;
        }

        private static int size(@Nullable ObservedEntry observedEntry) {
            Entry entry = observedEntry == null ? null : observedEntry.entry();
            return entry == null ? 0 : entry.attributes().encodedSize();
        }
    }
}
