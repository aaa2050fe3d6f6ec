package dev.holdfast.sim.check;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A key held by a process that has only its token and counts the term itself, always from before it sent the request. A
 * renewal with a shorter term shortens the validity when it is sent, before any response. Without a response, the
 * renewal may still be applied after later ones, so its term limits theirs.
 */
public final class TokenHolding implements PossibleHolder {
    private final ValidityRules validity = new ValidityRules();
    private final SimProcess process;
    private final long life;
    private final Key key;
    private final Token token;
    private final Fence fence;
    /** The terms of renewals without a response. */
    private final List<Duration> pending = new ArrayList<>();

    private ValidityRules.Tenure tenure;
    private boolean over;

    /** @param sentAt when the holder sent the request for its grant */
    public TokenHolding(SimProcess process, Key key, Token token, Fence fence, Duration term, ClockReading sentAt) {
        this.process = process;
        this.life = process.life();
        this.key = key;
        this.token = token;
        this.fence = fence;
        this.tenure = new ValidityRules.Tenure(sentAt, Term.of(term));
    }

    /** The current reading of both clocks of a process. */
    public static ClockReading now(SimProcess process) {
        return new ClockReading(process.clock().ticker(), process.clock().wall());
    }

    @Override
    public Key key() {
        return key;
    }

    @Override
    public SimProcess process() {
        return process;
    }

    @Override
    public Fence fence() {
        return fence;
    }

    public Token token() {
        return token;
    }

    /** The term that the holder counts. */
    public Duration term() {
        return tenure.term().duration();
    }

    @Override
    public Duration remaining() {
        return over || process.life() != life ? Duration.ZERO : validity.remaining(tenure, now(process));
    }

    /** Records a renewal request: from now on the holder relies on the shorter of the old and the new term. */
    public void asks(Duration term, ClockReading now) {
        pending.add(term);
        if (term.compareTo(validity.remaining(tenure, now)) < 0) {
            tenure = new ValidityRules.Tenure(now, Term.of(term));
        }
    }

    /** Records the response to a renewal that was sent at {@code sentAt}. */
    public void renewed(Duration term, ClockReading sentAt) {
        pending.remove(term);
        Duration shortest = pending.stream()
                .filter(other -> other.compareTo(term) < 0)
                .min(Comparator.naturalOrder())
                .orElse(term);
        tenure = new ValidityRules.Tenure(sentAt, Term.of(shortest));
    }

    public void giveUp() {
        over = true;
    }

    @Override
    public boolean isOver() {
        return over || process.life() != life;
    }

    @Override
    public boolean isValid() {
        return !remaining().isZero();
    }

    @Override
    public String toString() {
        return key + " by " + process.name() + " with fence " + fence + " and a token";
    }
}
