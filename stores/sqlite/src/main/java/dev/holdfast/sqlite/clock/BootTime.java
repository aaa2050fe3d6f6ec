package dev.holdfast.sqlite.clock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Moment since a particular boot of a system.
 *
 * @param boot identifies the boot; times of different boots cannot be compared
 */
public record BootTime(String boot, long nanos) {
    /**
     * Returns how long ago {@code stampNanos} of {@code stampBoot} was; null if that is another boot or unknown. Never
     * negative: if the clock went back, the beat looks young, and other clients wait longer before they take the lease.
     */
    @Nullable
    public Duration since(@Nullable String stampBoot, long stampNanos) {
        return boot.equals(stampBoot) ? Duration.ofNanos(Math.max(0, nanos - stampNanos)) : null;
    }
}
