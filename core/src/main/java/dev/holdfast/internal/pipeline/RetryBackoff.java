package dev.holdfast.internal.pipeline;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;

/** How long to wait before trying again: doubling, with full jitter, so that those who failed together come back apart. */
public record RetryBackoff(Duration first, Duration most) {
    /** For a store in trouble: the first retry is soon, as most troubles are one lost connection. */
    public static final RetryBackoff RETRY = new RetryBackoff(Duration.ofMillis(10), Duration.ofSeconds(1));

    private static final int MAX_DOUBLINGS = 20;

    public Duration delay(int attempt, HostEnvironment hostEnvironment) {
        long nanos = Math.min(most.toNanos(), first.toNanos() << Math.min(attempt, MAX_DOUBLINGS));
        // Never less than half: a delay near zero would hammer a store that asked for rest.
        return Duration.ofNanos((long) (nanos * (0.5 + 0.5 * hostEnvironment.random())));
    }
}
