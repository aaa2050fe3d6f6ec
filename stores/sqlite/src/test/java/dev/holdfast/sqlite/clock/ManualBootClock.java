package dev.holdfast.sqlite.clock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A boot clock that tests move, and machines that they boot. */
public final class ManualBootClock implements BootClock {
    private volatile @Nullable BootTime now =
            new BootTime("first boot", Duration.ofHours(1).toNanos());

    @Override
    public @Nullable BootTime now() {
        return now;
    }

    /** Negative: back. */
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
