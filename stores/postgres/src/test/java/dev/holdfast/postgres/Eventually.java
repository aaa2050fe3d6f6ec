package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waiting for a condition that another process brings about. */
final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private Eventually() {}

    static void holds(Callable<Boolean> condition) throws Exception {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("still not so after %s", PATIENCE).isLessThan(deadlineNanos);
            Thread.sleep(10);
        }
    }
}
