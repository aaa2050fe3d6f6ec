package dev.holdfast.judges.linear;

import java.util.List;

/**
 * A modelled key at the earliest time that an order of calls allows.
 *
 * @param now the earliest time of the last call in the order
 * @param expires the earliest time at which the lease may be taken over; 0 if the key is not held
 */
record ModelState(LeaseEntry entry, long now, long expires) {
    static final ModelState START = new ModelState(LeaseEntry.BLANK, Long.MIN_VALUE, 0);

    ModelState at(long start) {
        return start <= now ? this : new ModelState(entry, start, expires);
    }

    /** The same entry, once its lease has expired. */
    ModelState onceExpired() {
        return at(expires);
    }

    /** A state with this entry, which is not held. */
    ModelState ended(LeaseEntry next) {
        return new ModelState(next, now, 0);
    }

    /** The same term, another entry. */
    ModelState kept(LeaseEntry next) {
        return new ModelState(next, now, expires);
    }

    /** A new term begins. */
    ModelState begun(LeaseEntry next, long term) {
        return new ModelState(next, now, now + LeaseEffects.earliestExpiry(term));
    }

    /** Whether every order that is possible from {@code other} is possible from here, too. */
    boolean isNoLaterThan(ModelState other) {
        return now <= other.now && expires <= other.expires;
    }

    List<ModelState> alone() {
        return List.of(this);
    }
}
