package dev.holdfast.sqlite.clock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Clock that stamps beats: the time since boot. It is the same for all processes of one running system, and independent
 * of the wall clock. Thread-safe.
 */
public interface BootClock {
    /** Returns the current time, or null if this system has no such clock. Expiry is then judged by observation. */
    @Nullable
    BootTime now();

    static BootClock system() {
        return SystemBootClock.INSTANCE;
    }

    /**
     * Moment since a particular boot of a system.
     *
     * @param boot identifies the boot; times of different boots cannot be compared
     */
    record BootTime(String boot, long nanos) {
        /**
         * Returns how long ago {@code stampNanos} of {@code stampBoot} was; null if that is another boot or unknown. Never
         * negative: if the clock went back, the beat looks young, and other clients wait longer before they take the lease.
         */
        @Nullable
        public Duration since(@Nullable String stampBoot, long stampNanos) {
            return boot.equals(stampBoot) ? Duration.ofNanos(Math.max(0, nanos - stampNanos)) : null;
        }
    }
}
