package dev.holdfast.store;

import dev.holdfast.StoreFeature;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The differences of a store that shares its table with another tool from Holdfast's own layout. {@link #NATIVE} has
 * none.
 *
 * @param name for messages
 * @param lacking the features it lacks; a request that needs one is rejected before anything is sent
 * @param countsBeats whether its fence is a counter that grows by one with every grant <em>and</em> every renewal, and
 *     not by the clock
 * @param expires whether a lease ends at a stored time, so that an unchanged beat proves nothing: only {@link
 *     StoredEntry#age} does
 * @param early how long before the end of its term a holder must stop relying on its lease, because the other tool may
 *     take it that early
 * @param longestTerm the other tool takes a lease that was not renewed for this long, regardless of its term
 */
public record StoreDialect(
        String name,
        Set<StoreFeature> lacking,
        boolean countsBeats,
        boolean expires,
        Duration early,
        Duration longestTerm) {
    /** Holdfast's own layout. */
    public static final StoreDialect NATIVE = of("native");

    public StoreDialect {
        lacking = lacking.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(lacking));
        if (early.isNegative() || early.compareTo(longestTerm) >= 0) {
            throw ArgumentCheck.bad("early", early, ">= PT0S and < " + longestTerm);
        }
        ArgumentCheck.positive("longestTerm", longestTerm, SizeLimits.TERM_MAX);
    }

    /** A dialect without differences, to be modified by the methods below. */
    public static StoreDialect of(String name) {
        return new StoreDialect(name, Set.of(), false, false, Duration.ZERO, SizeLimits.TERM_MAX);
    }

    public StoreDialect without(Set<StoreFeature> features) {
        return new StoreDialect(name, features, countsBeats, expires, early, longestTerm);
    }

    public StoreDialect countingBeats() {
        return new StoreDialect(name, lacking, true, expires, early, longestTerm);
    }

    /** Leases end at a stored time; a holder stops relying on its lease {@code newEarly} before it. */
    public StoreDialect expiring(Duration newEarly) {
        return new StoreDialect(name, lacking, countsBeats, true, newEarly, longestTerm);
    }

    /**
     * The other tool takes a lease that was not renewed for {@code newLongest}; a holder stops relying on it {@code
     * newEarly} before that.
     */
    public StoreDialect takenAfter(Duration newLongest, Duration newEarly) {
        return new StoreDialect(name, lacking, countsBeats, expires, newEarly, newLongest);
    }

    public boolean lacks(StoreFeature storeFeature) {
        return lacking.contains(storeFeature);
    }
}
