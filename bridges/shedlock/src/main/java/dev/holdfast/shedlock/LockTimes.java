package dev.holdfast.shedlock;

import dev.holdfast.store.SizeLimits;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockConfiguration;

/**
 * The times of a lock, checked.
 *
 * @param term {@code lockAtMostFor}, in whole milliseconds
 */
record LockTimes(Duration term, Duration atLeast) {
    /**
     * A client refuses a grant that is answered after its term, and a durable write takes milliseconds. So a very short lock
     * begins longer, and is shortened when it is granted.
     */
    private static final Duration SHORTEST_GRANT = Duration.ofSeconds(1);

    static LockTimes of(LockConfiguration configuration) {
        Duration atMost = configuration.getLockAtMostFor();
        if (atMost.isZero() || atMost.compareTo(SizeLimits.TERM_MAX) > 0) {
            throw new IllegalArgumentException("lockAtMostFor: " + atMost + " (expected: > PT0S and <= P"
                    + SizeLimits.TERM_MAX.toDays() + "D) of lock '" + configuration.getName() + "'");
        }
        return new LockTimes(inMillis(atMost), configuration.getLockAtLeastFor());
    }

    /** The term to acquire the lock with. */
    Duration grantedTerm() {
        return isGrantedLonger() ? SHORTEST_GRANT : term;
    }

    boolean isGrantedLonger() {
        return term.compareTo(SHORTEST_GRANT) < 0;
    }

    /** Rounded up: a lock must not end early. */
    static Duration inMillis(Duration time) {
        long millis = time.toMillis();
        boolean isExact = Duration.ofMillis(millis).equals(time);
        return Duration.ofMillis(isExact ? millis : millis + 1);
    }
}
