package dev.holdfast.sim.check;

import dev.holdfast.internal.rules.Belief;
import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;

/**
 * A key in the hands of a process that has no more than its token, and keeps count of its term itself: always from
 * before it asked. A renewal that asks for a shorter term cuts what it relies on when it is sent, whatever the answer.
 */
public final class TokenHolding implements Believer {
    private final Belief belief = new Belief();
    private final SimProcess process;
    private final long life;
    private final Key key;
    private final Token token;
    private final Fence fence;
    private Tenure tenure;
    private boolean over;

    /** @param asked when the holder asked for what it was granted */
    public TokenHolding(SimProcess process, Key key, Token token, Fence fence, Term term, Moment asked) {
        this.process = process;
        this.life = process.life();
        this.key = key;
        this.token = token;
        this.fence = fence;
        this.tenure = new Tenure(asked, term);
    }

    /** Both clocks of a process. */
    public static Moment now(SimProcess process) {
        return new Moment(process.clock().ticker(), process.clock().wall());
    }

    @Override
    public Key key() {
        return key;
    }

    public Token token() {
        return token;
    }

    /** The length of the term that it relies on. */
    public Term term() {
        return tenure.term();
    }

    public Duration remaining() {
        return over || process.life() != life ? Duration.ZERO : belief.remaining(tenure, now(process));
    }

    /** Asks for a term of another length: from now on relies on no more than the shorter of both. */
    public void asks(Term term, Moment now) {
        if (term.duration().compareTo(belief.remaining(tenure, now)) < 0) {
            tenure = new Tenure(now, term);
        }
    }

    /** A renewal that was asked for at {@code asked} was answered. */
    public void renewed(Term term, Moment asked) {
        tenure = new Tenure(asked, term);
    }

    public void giveUp() {
        over = true;
    }

    @Override
    public boolean isOver() {
        return over || process.life() != life;
    }

    @Override
    public boolean isBelieved() {
        return !remaining().isZero();
    }

    @Override
    public String toString() {
        return key + " by " + process.name() + " with fence " + fence + " and a token";
    }
}
