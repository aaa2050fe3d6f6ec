package dev.holdfast.sqlite.clock;

import org.jspecify.annotations.Nullable;

/**
 * The clock that stamps beats: time since boot, the same for all processes of one running system, and deaf to the wall
 * clock. Thread-safe.
 */
public interface BootClock {
    /** Now; null where no such clock is to be had. Then silence is judged by observation. */
    @Nullable
    BootTime now();

    static BootClock system() {
        return SystemBootClock.INSTANCE;
    }
}
