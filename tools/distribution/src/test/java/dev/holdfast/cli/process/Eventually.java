package dev.holdfast.cli.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition that other processes fulfil. */
final class Eventually {
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private Eventually() {}

    static void isTrue(BooleanSupplier condition, Supplier<String> expected) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not in time: " + expected.get());
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
