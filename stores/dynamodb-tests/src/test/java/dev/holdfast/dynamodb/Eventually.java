package dev.holdfast.dynamodb;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for a condition that another process or server brings about. */
public final class Eventually {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private Eventually() {}

    public static void isTrue(BooleanSupplier condition, String description) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
                throw new AssertionError("waited in vain: " + description);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
