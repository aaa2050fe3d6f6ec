package dev.holdfast.store;

import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;

/**
 * The time without a renewal after which others may take a lease. It has whole milliseconds: a store that kept less than the
 * holder counts would let others take the lease too early.
 *
 * @param isKnown false if another tool wrote the lease and did not record its term. The duration is then the time that was
 *     left when the lease was read, which is enough to decide its expiry; it is not shown to people.
 */
public record Term(Duration duration, boolean isKnown) {
    public Term {
        ArgumentCheck.positive("term", duration, SizeLimits.TERM_MAX);
        if (duration.toNanos() % 1_000_000 != 0) {
            throw ArgumentCheck.bad("term", duration, "whole milliseconds");
        }
    }

    public static Term of(Duration duration) {
        return new Term(duration, true);
    }

    public static Term ofMillis(long millis) {
        return of(Duration.ofMillis(millis));
    }

    /** The rest of a term whose length is not known. */
    public static Term ofUnknownLength(Duration rest) {
        return new Term(rest, false);
    }

    /** A term of the same length, from now on a known one: for a write, which records it. */
    public Term recorded() {
        return isKnown ? this : of(duration);
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
