package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The bounded cache of the last-seen entries. It saves the read before a write, and remembers since when a beat has not
 * changed. Entries that must be watched, because the store does not report the age of their beats, have a separate
 * capacity. So neither a long listing nor this client's own writes evict them.
 *
 * <p>The capacity is bounded by count and, as an entry can be 64 KB large, by bytes.
 *
 * <p>A cached entry may only lead to a write, which the store then checks. A refusal needs the answer to a question
 * that was sent after the request began. Evicting an entry costs a read, or an observation that starts anew; never
 * correctness.
 *
 * <p>Thread-safe; its locks are leaves.
 */
public final class EntryCache {
    private static final int STRIPE_BITS = 4;
    private static final int STRIPES = 1 << STRIPE_BITS;
    /** 2^32 divided by the golden ratio: its product spreads every bit of a hash over the upper ones. */
    private static final int GOLDEN = 0x9E3779B9;

    /** Bytes of attributes and history for each entry of the capacity: most entries have far less. */
    private static final int BYTES_PER_ENTRY = 1024;

    /** Before all questions of this client: {@link PipelineClock#nextPlace} begins with 1. */
    private static final long NOT_ASKED = 0;

    private final Stripe[] stripes = new Stripe[STRIPES];

    /** @param capacity how many watched entries are kept, and how many other ones */
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

    /** The entry as this client last saw it; null if there is none, or it was not read. */
    public @Nullable Entry entry(Key key) {
        ObservedEntry seen = get(key);
        return seen == null ? null : seen.entry();
    }

    /** Notes an answer, unless a later question has been answered already. Returns the newest known entry. */
    ObservedEntry note(Key key, @Nullable StoredEntry storedEntry, long asked, long answered, long nanos) {
        return note(key, storedEntry, isToBeWatched(storedEntry), asked, answered, nanos);
    }

    /**
     * Notes an entry of a listing, unless it would evict an entry that was read by itself: a listing may have far more
     * entries than the cache.
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

    /**
     * Notes an entry that this client has just written. The store did not report the age of its beat, so the age stays
     * unknown.
     */
    void noteWritten(Key key, @Nullable Entry entry, long asked, long answered, long nanos) {
        note(key, entry == null ? null : new StoredEntry(entry, null), false, asked, answered, nanos);
    }

    /**
     * Notes an entry that the store found when it noticed that its key is not held. It was not asked for, so it may
     * start a write, and can refuse no request. It is ignored if a later grant is known.
     */
    public void noteFreed(Entry found, long answered, long nanos) {
        Stripe stripe = stripe(found.key());
        synchronized (stripe) {
            ObservedEntry before = stripe.get(found.key());
            if (before == null || before.entry() == null || endsGrant(before.entry(), found)) {
                StoredEntry stored = new StoredEntry(found, null);
                stripe.put(found.key(), ObservedEntry.of(stored, NOT_ASKED, answered, nanos, before), false);
            }
        }
    }

    private static boolean endsGrant(Entry before, Entry found) {
        return found.fence().isAbove(before.fence())
                || (found.fence().equals(before.fence()) && before.state() == LeaseState.HELD);
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

    /** A lease that is held through an anchor expires with the anchor, so only the anchor is watched. */
    private static boolean isToBeWatched(@Nullable StoredEntry storedEntry) {
        return storedEntry != null
                && storedEntry.age() == null
                && storedEntry.entry().state() == LeaseState.HELD
                && storedEntry.entry().heldThrough() == null;
    }

    private Stripe stripe(Key key) {
        // Uses other bits of the hash than the maps inside do. Otherwise each stripe would use one in sixteen of their
        // buckets.
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

    /** A cache that evicts the least recently used entries. */
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
            // The entry that was just put is the last in this order, and stays.
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
            return entry == null
                    ? 0
                    : entry.attributes().encodedSize() + entry.history().encodedSize();
        }
    }
}
