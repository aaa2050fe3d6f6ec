package dev.holdfast.internal.rules;

import dev.holdfast.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The holder's side of time: how long it may believe that it holds a lease, without asking anyone.
 *
 * <p>It must stop believing before anyone may take over. Others count from when the store stamped the beat; so the
 * holder counts from <em>before the first send</em> of the write that carried it. Not from the reply, which may be
 * slow; not from a repeated send, because it may have been the first that was applied. Elapsed time is the larger of
 * what the ticker and the wall clock show: a ticker may stand still while the machine sleeps. A wall clock that jumps
 * forward costs a lease early, which is safe.
 */
public class ValidityRules {
    private static final Term SHORTEST = Term.ofMillis(1);

    private final Duration early;

    public ValidityRules() {
        this(Duration.ZERO);
    }

    /** @param early how long before the end of its term a holder stops believing, where others are impatient */
    public ValidityRules(Duration early) {
        this.early = early;
    }

    /** When the term begins of a write first sent, last sent and answered at these moments. */
    public ClockReading start(ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
        return firstSent;
    }

    /** How much time has passed, at the most, as far as this machine can tell. */
    public Duration elapsed(ClockReading from, ClockReading to) {
        Duration byTicker = Duration.ofNanos(to.nanos() - from.nanos());
        Duration byWall = Duration.between(from.wall(), to.wall());
        return byTicker.compareTo(byWall) >= 0 ? byTicker : byWall;
    }

    /** How much is left of a term; zero when it is over. */
    public final Duration remaining(Tenure tenure, ClockReading now) {
        Duration left = tenure.term().duration().minus(elapsed(tenure.start(), now));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** What is left to the holder of a lease: of its own term, or, if the lease is anchored, of the anchor's. */
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

    /** Whether an answer to a caller that waits until {@code deadline} still reaches it. */
    public boolean inTime(long nowNanos, long deadlineNanos) {
        return nowNanos - deadlineNanos < 0;
    }

    /** Whether a store's answer that was asked for at {@code asked} may refuse a request that began at {@code begun}. */
    public boolean mayRefuse(long begun, long asked) {
        return asked > begun;
    }

    /** From when, and for how long, a holder may believe. */
    public record Tenure(ClockReading start, Term term) {}
}
