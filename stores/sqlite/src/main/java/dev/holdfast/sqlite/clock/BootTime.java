package dev.holdfast.sqlite.clock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A moment of one running of a system.
 *
 * @param boot which running: times of two of them cannot be compared
 */
public record BootTime(String boot, long nanos) {
    /**
     * How long ago {@code stampNanos} of {@code stampBoot} was; null if that was another boot, or one not known. Never
     * negative: a clock that went back makes a beat young, and whoever would take its lease waits.
     */
    @Nullable
    public Duration since(@Nullable String stampBoot, long stampNanos) {
        return boot.equals(stampBoot) ? Duration.ofNanos(Math.max(0, nanos - stampNanos)) : null;
    }
}
