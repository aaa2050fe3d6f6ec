package dev.holdfast.rules;

import dev.holdfast.store.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules for how long a holder may rely on its lease without contacting the store.
 *
 * <p>The holder must stop relying on it before any other client may be granted the key. Others count from when the
 * store stamped the beat. So the holder counts from <em>before the first send</em> of the write that carried the beat.
 * It does not count from the reply, which may be slow, nor from a repeated send, because the first may have been
 * applied. Elapsed time is the larger of the times that the ticker and the wall clock show: a ticker may stand still
 * while the machine sleeps. A wall clock that jumps forward ends a lease early, which is safe.
 */
public class ValidityRules {
    private static final Term SHORTEST = Term.ofMillis(1);

    private final Duration early;

    public ValidityRules() {
        this(Duration.ZERO);
    }

    /**
     * @param early how long before the end of its term a holder must stop, where another tool may take the key that
     *     early
     */
    public ValidityRules(Duration early) {
        this.early = early;
    }

    /** The start of a term, for a write that was first sent, last sent and answered at these times. */
    public ClockReading start(ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
        return firstSent;
    }

    /** The most time that can have passed, by the clocks of this machine. */
    public Duration elapsed(ClockReading from, ClockReading to) {
        Duration byTicker = Duration.ofNanos(to.nanos() - from.nanos());
        Duration byWall = Duration.between(from.wall(), to.wall());
        return byTicker.compareTo(byWall) >= 0 ? byTicker : byWall;
    }

    /** The rest of a term; zero when it is over. */
    public final Duration remaining(Tenure tenure, ClockReading now) {
        Duration left = tenure.term().duration().minus(elapsed(tenure.start(), now));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The rest of the holder's time: of the lease's own term, or, if the lease is anchored, of the anchor's. */
    public Duration remaining(Tenure own, @Nullable Tenure anchor, ClockReading now) {
        return remaining(anchor == null ? own : anchor, now);
    }

    /** The tenure that a granting or renewing write gives. */
    public final Tenure tenure(Term term, ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
        return new Tenure(start(firstSent, lastSent, answered), early.isZero() ? term : shortened(term));
    }

    private Term shortened(Term term) {
        Duration left = term.duration().minus(early);
        return left.compareTo(SHORTEST.duration()) < 0 ? SHORTEST : Term.of(left);
    }

    /** Whether an answer still reaches a caller that waits until {@code deadlineNanos}. */
    public boolean inTime(long nowNanos, long deadlineNanos) {
        return nowNanos - deadlineNanos < 0;
    }

    /** Whether the answer to a question sent at {@code asked} may refuse a request that began at {@code begun}. */
    public boolean mayRefuse(long begun, long asked) {
        return asked > begun;
    }

    /** The time during which a holder may rely on its lease: from when, and for how long. */
    public record Tenure(ClockReading start, Term term) {}
}
