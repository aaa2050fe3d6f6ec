package dev.holdfast.examples;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition that other threads and processes fulfil. */
final class Eventually {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private Eventually() {}

    static void isTrue(BooleanSupplier condition, Supplier<String> soFar) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not in time; so far: " + soFar.get());
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
