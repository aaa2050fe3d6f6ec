package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A bounded wait, in real time, for the effects of other threads. */
public final class Eventually {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long POLL_NANOS = Duration.ofMillis(1).toNanos();

    private Eventually() {}

    public static void until(BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos).as("nanoseconds waited").isLessThan(PATIENCE_NANOS);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
