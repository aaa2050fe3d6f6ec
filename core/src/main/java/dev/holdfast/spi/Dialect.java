package dev.holdfast.spi;

import dev.holdfast.internal.Check;
import dev.holdfast.model.Limits;
import dev.holdfast.model.Power;
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
 *     nothing: only {@link Stored#age} does
 * @param early how long before the end of its term a holder must stop believing, because others may be that impatient
 * @param longestTerm others take what has been silent for this long, whatever the term
 */
public record Dialect(
        String name, Set<Power> lacking, boolean countsBeats, boolean expires, Duration early, Duration longestTerm) {
    /** Holdfast's own. */
    public static final Dialect NATIVE = of("native");

    public Dialect {
        lacking = lacking.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(lacking));
        if (early.isNegative() || early.compareTo(longestTerm) >= 0) {
            throw Check.bad("early", early, ">= PT0S and < " + longestTerm);
        }
        Check.positive("longestTerm", longestTerm, Limits.TERM_MAX);
    }

    /** Lacks nothing; a start for those that do. */
    public static Dialect of(String name) {
        return new Dialect(name, Set.of(), false, false, Duration.ZERO, Limits.TERM_MAX);
    }

    public Dialect without(Set<Power> powers) {
        return new Dialect(name, powers, countsBeats, expires, early, longestTerm);
    }

    public Dialect countingBeats() {
        return new Dialect(name, lacking, true, expires, early, longestTerm);
    }

    /** Leases end at a time that is written down; a holder stops believing {@code newEarly} before it. */
    public Dialect expiring(Duration newEarly) {
        return new Dialect(name, lacking, countsBeats, true, newEarly, longestTerm);
    }

    /** Others take what has been silent for {@code newLongest}; a holder stops believing {@code newEarly} before that. */
    public Dialect takenAfter(Duration newLongest, Duration newEarly) {
        return new Dialect(name, lacking, countsBeats, expires, newEarly, newLongest);
    }

    public boolean lacks(Power power) {
        return lacking.contains(power);
    }
}
