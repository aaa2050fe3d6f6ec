package dev.holdfast.explanation;

import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The renewals of a lease, or of the anchor that keeps it alive.
 *
 * @param since the time since the grant or the last renewal; empty if the key is not held, or it is not known
 * @param atLeast whether the store has no clock, so that {@code since} is only the time for which this process has seen no
 *     renewal
 * @param leftAtRenewals how much of the term was left at the last renewals that this process or server saw, newest first; empty if
 *     it saw none
 */
public record RenewalView(Optional<Duration> since, boolean atLeast, List<Duration> leftAtRenewals) {
    /** Nothing is known, or the key is not held. */
    public static final RenewalView NONE = new RenewalView(Optional.empty(), false, List.of());

    /** A healthy holder renews after a third of its term. One that has waited for half of it is late. */
    private static final int OVERDUE_DIVISOR = 2;

    /** A renewal with less than a quarter of the term left was close to losing the lease. */
    private static final int CLOSE_DIVISOR = 4;

    public RenewalView {
        leftAtRenewals = List.copyOf(leftAtRenewals);
    }

    /** Whether the next renewal is overdue. */
    public boolean isOverdue(Term term) {
        return term.isKnown()
                && since.filter(it -> it.compareTo(term.duration().dividedBy(OVERDUE_DIVISOR)) > 0)
                        .isPresent();
    }

    /** Whether one of the last renewals came so late that the lease was nearly lost. */
    public boolean isAtRisk(Term term) {
        return leftAtRenewals.stream().anyMatch(left -> isClose(left, term.duration()));
    }

    /** Whether a renewal that left this much of the term was close to losing the lease. */
    public static boolean isClose(Duration left, Duration term) {
        return left.compareTo(term.dividedBy(CLOSE_DIVISOR)) < 0;
    }
}
