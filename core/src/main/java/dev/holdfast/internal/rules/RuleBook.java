package dev.holdfast.internal.rules;

import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.StoreTraits;
import java.time.Duration;

/** All rules of one client, together. */
public record RuleBook(
        Rules rules, Silence silence, Fences fences, Belief belief, Settlement settlement, Abilities abilities) {
    public RuleBook(Rules rules, Silence silence, Fences fences, Belief belief, Settlement settlement) {
        this(rules, silence, fences, belief, settlement, new Abilities(Dialect.NATIVE));
    }

    /** @param step how far the store's clock may jump */
    public static RuleBook of(Duration step) {
        return of(new Silence(step), new Fences(), new Belief());
    }

    /** The rules as they are on a store. */
    public static RuleBook of(StoreTraits store) {
        Dialect dialect = store.dialect();
        Silence silence = new Silence(store.step(), dialect.expires());
        Fences fences = Fences.of(dialect);
        return new RuleBook(
                new Rules(silence, fences),
                silence,
                fences,
                new Belief(dialect.early()),
                new Settlement(fences),
                new Abilities(dialect));
    }

    public static RuleBook of(Silence silence, Fences fences, Belief belief) {
        return new RuleBook(new Rules(silence, fences), silence, fences, belief, new Settlement(fences));
    }
}
