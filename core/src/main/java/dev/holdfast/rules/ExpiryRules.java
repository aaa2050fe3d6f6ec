package dev.holdfast.rules;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.LeaseState;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules for when a lease has expired, so that others may be granted its key.
 *
 * <p>An entry has the duration of its term, never its end: two machines do not agree on the time of day. The holder
 * counts its term from before it sent the write of its last beat. Other clients count from when the store stamped that
 * beat, by the store's own clock. Where the store has none, they count from when an answer first showed them the beat,
 * by their own ticker. Either is later than the holder's start. So their count ends after the holder's, if clocks run
 * at the same rate. The margin is for clocks that do not: a thousandth of the term for drift, and the store's step for
 * a clock that jumps.
 *
 * <p>An expired standing permits an attempt, not a takeover. The attempt is conditional on the version seen here, so a
 * holder that renewed in between keeps its lease.
 */
public class ExpiryRules {
    /** Holdfast's guarantees assume that two clocks differ by no more than this rate. */
    private static final int DRIFT_DIVISOR = 1000;

    private final Duration step;
    private final boolean expires;

    /** @param step the farthest jump of the clock that measures ages */
    public ExpiryRules(Duration step) {
        this(step, false);
    }

    /** @param expires whether leases end at a stored time, see {@link dev.holdfast.store.StoreDialect} */
    public ExpiryRules(Duration step, boolean expires) {
        this.step = step;
        this.expires = expires;
    }

    /** Whether leases end at a stored time, so that renewals do not matter. */
    public final boolean endsAreStored() {
        return expires;
    }

    /** The current standing of the entry. */
    public final EntryStanding standing(
            Entry entry, ObservedEntry seen, @Nullable ObservedEntry anchor, ClockReading now) {
        if (entry.state() != LeaseState.HELD) {
            return EntryStanding.of(
                    entry.state() == LeaseState.DONE ? EntryStanding.Kind.DONE : EntryStanding.Kind.FREE);
        }
        AnchorRef ref = entry.heldThrough();
        if (ref == null) {
            return heldUntilExpired(entry, seen, now, EntryStanding.Kind.SILENT);
        }
        if (anchor == null) {
            return EntryStanding.of(EntryStanding.Kind.ANCHOR_UNSEEN);
        }
        Entry anchorEntry = anchor.entry();
        if (anchorEntry == null || ref.fence().isAbove(anchorEntry.fence())) {
            // The anchor shows no such grant. If the anchor was read after the lease, that grant has ended. If the
            // lease was read after the anchor, the grant may be newer than the known anchor.
            return EntryStanding.of(
                    anchor.isAfter(seen) ? EntryStanding.Kind.ORPHANED : EntryStanding.Kind.ANCHOR_UNSEEN);
        }
        if (anchorEntry.state() != LeaseState.HELD || anchorEntry.fence().isAbove(ref.fence())) {
            return EntryStanding.of(EntryStanding.Kind.ORPHANED);
        }
        return heldUntilExpired(anchorEntry, anchor, now, EntryStanding.Kind.ANCHOR_SILENT);
    }

    private EntryStanding heldUntilExpired(
            Entry entry, ObservedEntry seen, ClockReading now, EntryStanding.Kind whenExpired) {
        Grant grant = entry.grant();
        if (grant == null) {
            throw new IllegalStateException("held without a grant: " + entry.key());
        }
        Duration left = patience(grant.term()).minus(length(entry, seen, now));
        return left.isNegative() || left.isZero()
                ? EntryStanding.of(whenExpired)
                : new EntryStanding(EntryStanding.Kind.HELD, left);
    }

    /** How long a beat must have stayed unchanged before its lease has expired. */
    public final Duration patience(Term ofGrant) {
        Duration term = ofGrant.duration();
        return term.plus(term.dividedBy(DRIFT_DIVISOR)).plus(step);
    }

    /**
     * The least time since the grant of the anchor that {@code ref} names has ended; zero if it may not have ended. The
     * beat of a lease held through the anchor proves nothing, as it is never renewed.
     */
    final Duration sinceEnd(AnchorRef ref, ObservedEntry anchor, ClockReading now) {
        Entry entry = anchor.entry();
        if (entry == null || entry.grant() == null) {
            return CleanUpOptions.IDLE_MIN; // The anchor was cleaned up, which takes this long, or deleted.
        }
        // If the anchor was granted anew, the grant ended before that. Otherwise it ended after its last beat.
        boolean grantedAnew = entry.fence().isAbove(ref.fence());
        return grantedAnew ? Duration.between(entry.grant().grantedAt(), now.wall()) : length(entry, anchor, now);
    }

    /** The least time that the beat has stayed unchanged. */
    protected Duration length(Entry entry, ObservedEntry seen, ClockReading now) {
        Duration stamped = seen.stampedAge(now);
        if (expires) {
            // The holder of such a lease need not renew it. So an unchanged beat proves nothing.
            return stamped == null ? seen.sinceAnswer(now) : stamped;
        }
        Duration observed = seen.sinceFirstSeen(now);
        // Each of the two alone is safe. The observed time also helps where the store's clock was set back.
        return stamped != null && stamped.compareTo(observed) > 0 ? stamped : observed;
    }
}
