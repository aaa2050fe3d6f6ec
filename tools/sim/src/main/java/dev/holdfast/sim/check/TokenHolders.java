package dev.holdfast.sim.check;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Term;
import dev.holdfast.Token;
import dev.holdfast.internal.rules.ClockReading;
import dev.holdfast.internal.rules.ValidityRules;
import dev.holdfast.internal.rules.ValidityRules.Tenure;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A key in the hands of a process that has no more than its token, and keeps count of its term itself: always from
 * before it asked. A renewal that asks for a shorter term cuts what it relies on when it is sent, whatever the answer.
 * If there was none, the renewal may yet be applied, after later ones; so its term limits what they give.
 */
public final class TokenHolders implements LeaseUser {
    private final ValidityRules validityRules = new ValidityRules();
    private final SimProcess process;
    private final long life;
    private final Key key;
    private final Token token;
    private final Fence fence;
    /** The terms of renewals that were not answered. */
    private final List<Term> unanswered = new ArrayList<>();

    private Tenure tenure;
    private boolean over;

    /** @param asked when the holder asked for what it was granted */
    public TokenHolders(SimProcess process, Key key, Token token, Fence fence, Term term, ClockReading asked) {
        this.process = process;
        this.life = process.life();
        this.key = key;
        this.token = token;
        this.fence = fence;
        this.tenure = new Tenure(asked, term);
    }

    /** Both clocks of a process. */
    public static ClockReading now(SimProcess process) {
        return new ClockReading(process.clock().ticker(), process.clock().wall());
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
        return over || process.life() != life ? Duration.ZERO : validityRules.remaining(tenure, now(process));
    }

    /** Asks for a term of another length: from now on relies on no more than the shorter of both. */
    public void asks(Term term, ClockReading now) {
        unanswered.add(term);
        if (term.duration().compareTo(validityRules.remaining(tenure, now)) < 0) {
            tenure = new Tenure(now, term);
        }
    }

    /** A renewal that was asked for at {@code asked} was answered. */
    public void renewed(Term term, ClockReading asked) {
        unanswered.remove(term);
        Term shortest = unanswered.stream()
                .min(Comparator.comparing(Term::duration))
                .filter(other -> other.duration().compareTo(term.duration()) < 0)
                .orElse(term);
        tenure = new Tenure(asked, shortest);
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
