package dev.holdfast.fleet;

import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The timers and bounds of a worker. Immutable: each method returns a changed copy. Defaults are derived from the term.
 *
 * <p>Workers of one fleet may have different options. The planner's own options apply to planning: plan interval, quiet
 * time, back-off and bounds on moves.
 */
public final class FleetOptions {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration DEFAULT_TERM = Duration.ofSeconds(10);
    private static final FleetOptions DEFAULTS = new FleetOptions(null, new EnumMap<>(Timer.class), 0, 2);

    /** Null if not set. */
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

    /** Returns options with a term of ten seconds and the defaults derived from it. */
    public static FleetOptions defaults() {
        return DEFAULTS;
    }

    /** Returns options for tests: a term of one second, and short timers. */
    public static FleetOptions fast() {
        return DEFAULTS.term(Duration.ofSeconds(1))
                .poll(Duration.ofMillis(50))
                .quiet(Duration.ofMillis(200))
                .backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
    }

    /** Sets how long a worker may go without renewing before its units go to others. */
    public FleetOptions term(Duration newTerm) {
        return new FleetOptions(Term.of(newTerm).duration(), set, maxMoves, standbys);
    }

    /** Sets how often a worker reads its assignment. Default: a fifth of the term. */
    public FleetOptions poll(Duration time) {
        return with(Timer.POLL, "poll", time);
    }

    /** Sets how often the planner checks for changes. Default: the poll interval. */
    public FleetOptions planEvery(Duration time) {
        return with(Timer.PLAN, "planEvery", time);
    }

    /**
     * Sets how often a worker without a planner checks that it still holds its units, as others steal them. Default: a
     * tenth of the term. How often it takes its share is set by {@link #planEvery}.
     */
    public FleetOptions lookEvery(Duration time) {
        return with(Timer.LOOK, "lookEvery", time);
    }

    /**
     * Sets how long no worker must have joined or left before units are moved between live workers. This avoids churn
     * during a rolling deploy. After six times as long, units are moved anyway. Unassigned units are assigned
     * immediately. Default: the term.
     */
    public FleetOptions quiet(Duration time) {
        return with(Timer.QUIET, "quiet", time);
    }

    /**
     * Sets how long {@code onAssigned} may wait to start, and then run, before the worker reports itself unhealthy. The
     * unit stays with the worker. Default: three terms.
     */
    public FleetOptions startDeadline(Duration time) {
        return with(Timer.START, "startDeadline", time);
    }

    /**
     * Sets how long {@code onRevoked} may run before the unit is handed over regardless. The time counts from the start
     * of the callback: a unit whose callback waits for a thread is not handed over. If that wait takes longer than
     * this, the worker reports itself unhealthy. Default: the term.
     */
    public FleetOptions revokeDeadline(Duration time) {
        return with(Timer.REVOKE, "revokeDeadline", time);
    }

    /**
     * Sets how long closing may take. After half of it, the worker also stops units that were not yet assigned to
     * another worker. It stops them earlier if {@code onRevoked} may need more than the other half.
     *
     * <p>At the deadline, some units may have an {@code onRevoked} that has not started, or is within its own deadline.
     * They are released only after that, or when the client is closed. Default: twice the term plus the revoke
     * deadline.
     */
    public FleetOptions closeDeadline(Duration time) {
        return with(Timer.CLOSE, "closeDeadline", time);
    }

    /**
     * Sets the first and the longest back-off of a unit after a failure. It doubles with every failure in a row.
     * Default: a tenth of the term, and six terms.
     */
    public FleetOptions backoff(Duration first, Duration most) {
        if (first.compareTo(most) > 0) {
            throw ArgumentCheck.bad("backoff", first, "<= " + most);
        }
        return with(Timer.BACKOFF, "backoff", first).with(Timer.BACKOFF_MAX, "backoff", most);
    }

    /** Sets how often the planner lists all units although no change was announced. Default: sixty terms. */
    public FleetOptions relistEvery(Duration time) {
        return with(Timer.RELIST, "relistEvery", time);
    }

    /**
     * Sets the maximum number of units being moved between live workers at a time. 0 stands for a twentieth of all
     * units, but at least 16.
     */
    public FleetOptions maxMoves(int most) {
        if (most < 0) {
            throw ArgumentCheck.bad("maxMoves", most, ">= 0");
        }
        return new FleetOptions(term, set, most, standbys);
    }

    /**
     * Sets how many workers stand by as planner. A standby already knows the workers and units when it takes over.
     * Default: 2.
     */
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
     * Returns these options with the term that was set on the builder, if any.
     *
     * @throws IllegalArgumentException if both were set and differ
     */
    FleetOptions withBuilderTerm(@Nullable Duration other) {
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

    /** Returns the back-off of a unit after its {@code failures}th failure in a row. */
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
