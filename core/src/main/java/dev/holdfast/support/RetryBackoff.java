package dev.holdfast.support;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;

/**
 * The delay before the next attempt: it doubles, with jitter, so that requests that failed together are retried at
 * different times.
 */
public record RetryBackoff(Duration first, Duration most) {
    /** For a failing store. The first retry is soon, as most failures are one lost connection. */
    public static final RetryBackoff RETRY = new RetryBackoff(Duration.ofMillis(10), Duration.ofSeconds(1));

    private static final int MAX_DOUBLINGS = 20;

    public Duration delay(int attempt, HostEnvironment hostEnvironment) {
        long nanos = Math.min(most.toNanos(), first.toNanos() << Math.min(attempt, MAX_DOUBLINGS));
        // Never less than half: retries after a delay near zero would overload a store that throttles its callers.
        return Duration.ofNanos((long) (nanos * (0.5 + 0.5 * hostEnvironment.random())));
    }
}
