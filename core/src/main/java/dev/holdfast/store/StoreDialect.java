package dev.holdfast.store;

import dev.holdfast.StoreFeature;
import dev.holdfast.internal.ArgumentCheck;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * How a store that shares its table with another tool departs from Holdfast's own ways. {@link #NATIVE} departs in
 * nothing.
 *
 * @param name for messages
 * @param lacking what it cannot do; asking for it is refused before anything is sent
 * @param countsBeats whether its fence is a counter that grows by one with every grant <em>and</em> every renewal, and
 *     not by the clock
 * @param expires whether a lease ends at a time that is written down, so that its beat, however long it stands, proves
 *     nothing: only {@link StoredEntry#age} does
 * @param early how long before the end of its term a holder must stop believing, because others may be that impatient
 * @param longestTerm others take what has been silent for this long, whatever the term
 */
public record StoreDialect(
        String name,
        Set<StoreFeature> lacking,
        boolean countsBeats,
        boolean expires,
        Duration early,
        Duration longestTerm) {
    /** Holdfast's own. */
    public static final StoreDialect NATIVE = of("native");

    public StoreDialect {
        lacking = lacking.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(lacking));
        if (early.isNegative() || early.compareTo(longestTerm) >= 0) {
            throw ArgumentCheck.bad("early", early, ">= PT0S and < " + longestTerm);
        }
        ArgumentCheck.positive("longestTerm", longestTerm, SizeLimits.TERM_MAX);
    }

    /** Lacks nothing; a start for those that do. */
    public static StoreDialect of(String name) {
        return new StoreDialect(name, Set.of(), false, false, Duration.ZERO, SizeLimits.TERM_MAX);
    }

    public StoreDialect without(Set<StoreFeature> powers) {
        return new StoreDialect(name, powers, countsBeats, expires, early, longestTerm);
    }

    public StoreDialect countingBeats() {
        return new StoreDialect(name, lacking, true, expires, early, longestTerm);
    }

    /** Leases end at a time that is written down; a holder stops believing {@code newEarly} before it. */
    public StoreDialect expiring(Duration newEarly) {
        return new StoreDialect(name, lacking, countsBeats, true, newEarly, longestTerm);
    }

    /** Others take what has been silent for {@code newLongest}; a holder stops believing {@code newEarly} before that. */
    public StoreDialect takenAfter(Duration newLongest, Duration newEarly) {
        return new StoreDialect(name, lacking, countsBeats, expires, newEarly, newLongest);
    }

    public boolean lacks(StoreFeature storeFeature) {
        return lacking.contains(storeFeature);
    }
}
