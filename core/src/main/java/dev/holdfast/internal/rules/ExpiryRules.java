package dev.holdfast.internal.rules;

import dev.holdfast.LeaseState;
import dev.holdfast.Term;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a holder has been silent for long enough to be overruled.
 *
 * <p>An entry says how long its holder may stay silent, never until when: two machines do not agree on "when". The
 * holder counts its term from before it sent the write of its last beat. We count from when the store stamped that
 * beat, by the store's own clock; or, where the store has none, from when the beat was first shown to us, by our own
 * ticker. Either is later than the holder's start, so our count ends after the holder's, if clocks run alike. The margin
 * is for clocks that do not: a thousandth of the term for drift, and the store's step for a clock that jumps.
 *
 * <p>A verdict of silence permits an attempt, not a takeover: the attempt is conditional on the version seen here, so
 * a holder that renewed in between keeps its lease.
 */
public class ExpiryRules {
    /** Two clocks that differ by more than this rate are outside what Holdfast promises for. */
    private static final int DRIFT_DIVISOR = 1000;

    private final Duration step;
    private final boolean expires;

    /** @param step how far the clock that measures ages may jump */
    public ExpiryRules(Duration step) {
        this(step, false);
    }

    /** @param expires whether leases end at a time that is written down, see {@link dev.holdfast.store.StoreDialect} */
    public ExpiryRules(Duration step, boolean expires) {
        this.step = step;
        this.expires = expires;
    }

    /** How the entry stands. */
    public final EntryStanding standing(
            Entry entry, ObservedEntry seen, @Nullable ObservedEntry anchor, ClockReading now) {
        if (entry.state() != LeaseState.HELD) {
            return EntryStanding.of(
                    entry.state() == LeaseState.DONE ? EntryStanding.Kind.DONE : EntryStanding.Kind.FREE);
        }
        AnchorRef ref = entry.heldThrough();
        if (ref == null) {
            return heldUntilSilent(entry, seen, now, EntryStanding.Kind.SILENT);
        }
        if (anchor == null) {
            return EntryStanding.of(EntryStanding.Kind.ANCHOR_UNSEEN);
        }
        Entry anchorEntry = anchor.entry();
        if (anchorEntry == null || ref.fence().isAbove(anchorEntry.fence())) {
            // No such grant of the anchor in sight. If we looked at the anchor last, it is gone; if we saw the lease
            // last, it may be a grant that we have not seen yet.
            return EntryStanding.of(
                    anchor.isAfter(seen) ? EntryStanding.Kind.ORPHANED : EntryStanding.Kind.ANCHOR_UNSEEN);
        }
        if (anchorEntry.state() != LeaseState.HELD || anchorEntry.fence().isAbove(ref.fence())) {
            return EntryStanding.of(EntryStanding.Kind.ORPHANED);
        }
        return heldUntilSilent(anchorEntry, anchor, now, EntryStanding.Kind.ANCHOR_SILENT);
    }

    private EntryStanding heldUntilSilent(
            Entry entry, ObservedEntry seen, ClockReading now, EntryStanding.Kind whenSilent) {
        Grant grant = entry.grant();
        if (grant == null) {
            throw new IllegalStateException("held without a grant: " + entry.key());
        }
        Duration left = patience(grant.term()).minus(length(entry, seen, now));
        return left.isNegative() || left.isZero()
                ? EntryStanding.of(whenSilent)
                : new EntryStanding(EntryStanding.Kind.HELD, left);
    }

    /** How long a beat must have stood before its holder may be overruled. */
    public final Duration patience(Term ofGrant) {
        Duration term = ofGrant.duration();
        return term.plus(term.dividedBy(DRIFT_DIVISOR)).plus(step);
    }

    /**
     * How long ago, at least, that grant of the anchor ended which {@code ref} names; zero if it may not have. What was
     * held through it has a beat of its own that tells nothing: nobody renews it.
     */
    final Duration sinceEnd(AnchorRef ref, ObservedEntry anchor, ClockReading now) {
        Entry entry = anchor.entry();
        if (entry == null || entry.grant() == null) {
            return FenceRules.IDLE_MIN; // It was removed itself, or deleted; the former takes as long.
        }
        // Granted anew since, so it ended before that; else it ended after its last beat.
        boolean grantedAnew = entry.fence().isAbove(ref.fence());
        return grantedAnew ? Duration.between(entry.grant().grantedAt(), now.wall()) : length(entry, anchor, now);
    }

    /** How long the beat is known to have stood, at least. */
    protected Duration length(Entry entry, ObservedEntry seen, ClockReading now) {
        Duration stamped = seen.stampedAge(now);
        if (expires) {
            // The holder of such a lease need not renew it. So a beat that stands still proves nothing.
            return stamped == null ? seen.sinceAnswer(now) : stamped;
        }
        Duration observed = seen.sinceFirstSeen(now);
        // Each alone is sound. The observed one also helps where the store's clock was set back.
        return stamped != null && stamped.compareTo(observed) > 0 ? stamped : observed;
    }
}
