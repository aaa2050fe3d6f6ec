package dev.holdfast.sim.replay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run that a page shows.
 *
 * @param fromNanos null: {@link #USUAL} before the end
 * @param toNanos null: the end of the run
 */
record ReplayWindow(@Nullable Long fromNanos, @Nullable Long toNanos) {
    /** The length of a page: several terms and faults, which is enough to see the causes of a violation. */
    static final Duration USUAL = Duration.ofSeconds(20);

    /** The limit of steps on a page: a browser shows them without a delay. */
    static final int STEPS_MAX = 4000;

    ReplayWindow {
        if (fromNanos != null && fromNanos < 0) {
            throw new IllegalArgumentException("from: " + fromNanos + " ns (expected: not negative)");
        }
        if (fromNanos != null && toNanos != null && toNanos <= fromNanos) {
            throw new IllegalArgumentException("to: " + toNanos + " ns (expected: after from, " + fromNanos + " ns)");
        }
    }

    /** Whether a moment may be shown. The end of the run is not known while it is recorded. */
    boolean mayShow(long nanos) {
        return (fromNanos == null || nanos >= fromNanos) && (toNanos == null || nanos <= toNanos);
    }

    long start(long endNanos) {
        return fromNanos != null ? fromNanos : Math.max(0, endNanos - USUAL.toNanos());
    }

    long end(long endNanos) {
        return toNanos != null ? Math.min(toNanos, endNanos) : endNanos;
    }
}
