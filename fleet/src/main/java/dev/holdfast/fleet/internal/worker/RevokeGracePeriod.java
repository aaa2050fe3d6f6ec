package dev.holdfast.fleet.internal.worker;

import dev.holdfast.store.HostEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The time that stopping the work on a unit may take.
 *
 * @param timer ends it; null if it is not counting
 * @param isOver whether the unit was released although work on it continues
 */
record RevokeGracePeriod(HostEnvironment.@Nullable Timer timer, boolean isOver) {
    static final RevokeGracePeriod UNLIMITED = new RevokeGracePeriod(null, false);
    static final RevokeGracePeriod OVER = new RevokeGracePeriod(null, true);

    static RevokeGracePeriod until(HostEnvironment.Timer end) {
        return new RevokeGracePeriod(end, false);
    }

    /** Stops counting. */
    RevokeGracePeriod cancel() {
        if (timer != null) {
            timer.cancel();
        }
        return isOver ? OVER : UNLIMITED;
    }
}
