package dev.holdfast.internal.rules;

import java.time.Duration;

/** All rules of one client, together. */
public record RuleBook(Rules rules, Silence silence, Fences fences, Belief belief, Settlement settlement) {
    /** @param step how far the store's clock may jump */
    public static RuleBook of(Duration step) {
        return of(new Silence(step), new Fences(), new Belief());
    }

    public static RuleBook of(Silence silence, Fences fences, Belief belief) {
        return new RuleBook(new Rules(silence, fences), silence, fences, belief, new Settlement(fences));
    }
}
