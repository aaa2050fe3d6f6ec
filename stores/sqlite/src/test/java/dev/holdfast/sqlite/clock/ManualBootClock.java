package dev.holdfast.sqlite.clock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Boot clock that tests advance, with machines that they reboot. */
public final class ManualBootClock implements BootClock {
    private volatile @Nullable BootTime now =
            new BootTime("first boot", Duration.ofHours(1).toNanos());

    @Override
    public @Nullable BootTime now() {
        return now;
    }

    /** Advances the clock; a negative time sets it back. */
    public void advance(Duration time) {
        BootTime before = now;
        if (before != null) {
            now = new BootTime(before.boot(), before.nanos() + time.toNanos());
        }
    }

    public void boot(String id, Duration sinceBoot) {
        now = new BootTime(id, sinceBoot.toNanos());
    }

    public void fail() {
        now = null;
    }
}
