package dev.holdfast.internal.engine;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.spi.Stored;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last-seen entries, bounded: they save the read before a write, and remember since when a beat has stood still.
 *
 * <p>What is in here may only start a write, which the store then checks. A refusal needs an answer younger than the
 * request. Forgetting an entry costs a read, or an observation that starts anew; never correctness.
 *
 * <p>Thread-safe; its locks are leaves.
 */
final class EntryCache {
    private static final int STRIPE_BITS = 4;
    private static final int STRIPES = 1 << STRIPE_BITS;
    /** 2^32 divided by the golden ratio: its product spreads every bit of a hash over the upper ones. */
    private static final int GOLDEN = 0x9E3779B9;

    private final Stripe[] stripes = new Stripe[STRIPES];

    EntryCache(int capacity) {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(Math.max(1, capacity / STRIPES));
        }
    }

    @Nullable
    Seen get(Key key) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return stripe.get(key);
        }
    }

    /** Notes an answer, unless a later question has been answered already. Returns what is now known. */
    Seen note(Key key, @Nullable Stored stored, long asked, long told, long nanos) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            Seen before = stripe.get(key);
            if (before != null && before.asked() > asked) {
                return before;
            }
            Seen seen = Seen.of(stored, asked, told, nanos, before);
            stripe.put(key, seen);
            return seen;
        }
    }

    /**
     * Notes what a listing shows, unless that would push out what was asked for by itself: a listing may show far more
     * than there is room for. Only what must be watched, as the store does not tell its age, is always worth its place.
     */
    void noteScanned(Stored stored, long asked, long told, long nanos) {
        Key key = stored.entry().key();
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            boolean watched = stored.age() == null
                    && stored.entry().state() == State.HELD
                    && stored.entry().heldThrough() == null;
            if (watched || stripe.size() < stripe.capacity || stripe.containsKey(key)) {
                note(key, stored, asked, told, nanos);
            }
        }
    }

    /** Notes an entry that we wrote ourselves just now. Its age is left open: the store did not say. */
    void noteWritten(Key key, @Nullable Entry entry, long asked, long told, long nanos) {
        note(key, entry == null ? null : new Stored(entry, null), asked, told, nanos);
    }

    private Stripe stripe(Key key) {
        // By other bits than the map within goes by: or a stripe would use one in sixteen of its buckets.
        return stripes[(key.hashCode() * GOLDEN) >>> (Integer.SIZE - STRIPE_BITS)];
    }

    private static final class Stripe extends LinkedHashMap<Key, Seen> {
        private final int capacity;

        Stripe(int capacity) {
            super(16, 0.75f, true);
            this.capacity = capacity;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Seen> eldest) {
            return size() > capacity;
        }
    }
}
