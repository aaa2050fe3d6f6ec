package dev.holdfast.fleet;

import dev.holdfast.Term;
import dev.holdfast.internal.ArgumentCheck;
import dev.holdfast.store.SizeLimits;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The timers and bounds of a worker. Immutable; each method returns a changed copy. What is not set follows from the term.
 *
 * <p>Workers of one fleet may differ; those timers that the planner uses (plan interval, quiet time, back-off, bounds on
 * moves) are those of the worker that plans.
 */
public final class FleetOptions {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration DEFAULT_TERM = Duration.ofSeconds(10);
    private static final FleetOptions DEFAULTS = new FleetOptions(null, new EnumMap<>(Timer.class), 0, 2);

    /** Null if it was not set. */
    private final @Nullable Duration term;

    private final Map<Timer, Duration> set;
    private final int maxMoves;
    private final int standbys;

    private enum Timer {
        POLL,
        PLAN,
        LOOK,
        QUIET,
        START,
        REVOKE,
        CLOSE,
        BACKOFF,
        BACKOFF_MAX,
        RELIST
    }

    private FleetOptions(@Nullable Duration term, Map<Timer, Duration> set, int maxMoves, int standbys) {
        this.term = term;
        this.set = set;
        this.maxMoves = maxMoves;
        this.standbys = standbys;
    }

    /** A term of ten seconds, and all else to fit. */
    public static FleetOptions defaults() {
        return DEFAULTS;
    }

    /** For tests: a term of a second, and everybody in a hurry. */
    public static FleetOptions fast() {
        return DEFAULTS.term(Duration.ofSeconds(1))
                .poll(Duration.ofMillis(50))
                .quiet(Duration.ofMillis(200))
                .backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
    }

    /** How long a worker may stay silent before its units go to others. */
    public FleetOptions term(Duration newTerm) {
        return new FleetOptions(Term.of(newTerm).duration(), set, maxMoves, standbys);
    }

    /** How often a worker looks for its units. Default: a fifth of the term. */
    public FleetOptions poll(Duration time) {
        return with(Timer.POLL, "poll", time);
    }

    /** How often the planner looks for changes. Default: as often as a worker. */
    public FleetOptions planEvery(Duration time) {
        return with(Timer.PLAN, "planEvery", time);
    }

    /**
     * Without a planner: how often a worker checks that its units are still its own, as others steal them. Default: a tenth
     * of the term. How often it takes its share is {@link #planEvery}.
     */
    public FleetOptions lookEvery(Duration time) {
        return with(Timer.LOOK, "lookEvery", time);
    }

    /**
     * How long workers must neither come nor go before units are moved between the living, so that a rolling deploy does
     * not churn; after six times as long they are moved anyway. Units that nobody has are given out at once. Default: the
     * term.
     */
    public FleetOptions quiet(Duration time) {
        return with(Timer.QUIET, "quiet", time);
    }

    /**
     * How long {@code onAssigned} may take to begin, and then to return, before the worker says that it is not healthy. The
     * unit stays where it is. Default: three terms.
     */
    public FleetOptions startDeadline(Duration time) {
        return with(Timer.START, "startDeadline", time);
    }

    /**
     * How long {@code onRevoked} may run before the unit is handed over all the same. It is counted from the moment when the
     * callback begins to run: a unit whose callback still waits for a thread is not handed over, and the worker says that it
     * is not healthy when that wait takes longer than this. Default: the term.
     */
    public FleetOptions revokeDeadline(Duration time) {
        return with(Timer.REVOKE, "revokeDeadline", time);
    }

    /**
     * How long closing may take. After half of it, or earlier if {@code onRevoked} may need more than the other half, units
     * that no other worker was given yet are stopped too. A unit whose {@code onRevoked} has not begun by the end, or is
     * within its own deadline, is let go of only after that; or with the client. Default: twice the term and the revoke
     * deadline.
     */
    public FleetOptions closeDeadline(Duration time) {
        return with(Timer.CLOSE, "closeDeadline", time);
    }

    /** How long a unit rests after a failure at first, and at most; it doubles in between. Default: a tenth of the term, and six terms. */
    public FleetOptions backoff(Duration first, Duration most) {
        if (first.compareTo(most) > 0) {
            throw ArgumentCheck.bad("backoff", first, "<= " + most);
        }
        return with(Timer.BACKOFF, "backoff", first).with(Timer.BACKOFF_MAX, "backoff", most);
    }

    /** How often the planner lists all units though nobody told of a change. Default: sixty terms. */
    public FleetOptions relistEvery(Duration time) {
        return with(Timer.RELIST, "relistEvery", time);
    }

    /** The most units that are on their way from one living worker to another; 0: a twentieth of all, but at least 16. */
    public FleetOptions maxMoves(int most) {
        if (most < 0) {
            throw ArgumentCheck.bad("maxMoves", most, ">= 0");
        }
        return new FleetOptions(term, set, most, standbys);
    }

    /** How many workers stand by to plan: they know the workers and units before they are needed. Default: 2. */
    public FleetOptions standbys(int count) {
        if (count < 0) {
            throw ArgumentCheck.bad("standbys", count, ">= 0");
        }
        return new FleetOptions(term, set, maxMoves, count);
    }

    public Duration term() {
        return term == null ? DEFAULT_TERM : term;
    }

    /**
     * These options with the term that was set beside them, if any.
     *
     * @throws IllegalArgumentException if both were set, and differ
     */
    FleetOptions besideTerm(@Nullable Duration other) {
        if (other != null && term != null && !term.equals(other)) {
            throw ArgumentCheck.bad(
                    "term", other, "the term of the options, " + term + ", or a term in one place only");
        }
        return other == null ? this : term(other);
    }

    public Duration poll() {
        return set.getOrDefault(Timer.POLL, term().dividedBy(5));
    }

    public Duration planEvery() {
        return set.getOrDefault(Timer.PLAN, poll());
    }

    public Duration lookEvery() {
        return set.getOrDefault(Timer.LOOK, term().dividedBy(10));
    }

    public Duration quiet() {
        return set.getOrDefault(Timer.QUIET, term());
    }

    public Duration startDeadline() {
        return set.getOrDefault(Timer.START, term().multipliedBy(3));
    }

    public Duration revokeDeadline() {
        return set.getOrDefault(Timer.REVOKE, term());
    }

    public Duration closeDeadline() {
        return set.getOrDefault(Timer.CLOSE, term().multipliedBy(2).plus(revokeDeadline()));
    }

    public Duration backoff() {
        return set.getOrDefault(Timer.BACKOFF, term().dividedBy(10));
    }

    public Duration backoffMax() {
        return set.getOrDefault(Timer.BACKOFF_MAX, term().multipliedBy(6));
    }

    public Duration relistEvery() {
        return set.getOrDefault(Timer.RELIST, term().multipliedBy(60));
    }

    public int maxMoves() {
        return maxMoves;
    }

    public int standbys() {
        return standbys;
    }

    /** How long a unit rests after its {@code failures}th failure in a row. */
    public Duration backoff(int failures) {
        int doublings = Math.min(Math.max(0, failures - 1), 30);
        Duration rest = backoff().multipliedBy(1L << doublings);
        return rest.compareTo(backoffMax()) > 0 ? backoffMax() : rest;
    }

    private FleetOptions with(Timer timer, String field, Duration time) {
        Duration most = timer == Timer.RELIST ? SizeLimits.TERM_MAX : LONGEST;
        Map<Timer, Duration> changed = new EnumMap<>(Timer.class);
        changed.putAll(set);
        changed.put(timer, ArgumentCheck.positive(field, time, most));
        return new FleetOptions(term, changed, maxMoves, standbys);
    }
}
