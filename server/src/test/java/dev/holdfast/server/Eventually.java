package dev.holdfast.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polling for conditions that depend on real threads and sockets. */
public final class Eventually {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private Eventually() {}

    public static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > PATIENCE_NANOS) {
                throw new AssertionError("waited in vain");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
