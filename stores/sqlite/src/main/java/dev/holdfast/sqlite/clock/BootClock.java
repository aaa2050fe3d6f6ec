package dev.holdfast.sqlite.clock;

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
}
