package dev.holdfast.model;

import dev.holdfast.internal.Check;
import java.time.Duration;

/**
 * How long a holder may stay silent before others may take its lease. Whole milliseconds: a store that kept less than
 * what the holder counts would let others in too early.
 */
public record Term(Duration duration) {
    public Term {
        Check.positive("term", duration, Limits.TERM_MAX);
        if (duration.toNanos() % 1_000_000 != 0) {
            throw Check.bad("term", duration, "whole milliseconds");
        }
    }

    public static Term of(Duration duration) {
        return new Term(duration);
    }

    public static Term ofMillis(long millis) {
        return new Term(Duration.ofMillis(millis));
    }

    /** {@code time}, or this term if that is shorter. */
    public Duration atMost(Duration time) {
        return time.compareTo(duration) < 0 ? time : duration;
    }

    public long toNanos() {
        return duration.toNanos();
    }

    @Override
    public String toString() {
        return duration.toString();
    }
}
