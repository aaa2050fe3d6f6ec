package dev.holdfast.testkit;

import dev.holdfast.StoreException;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A gate that store calls pass: it holds them until it is opened, or delays them on an environment's clock.
 * Thread-safe.
 */
final class CallGate {
    /** Bounded, so that a test that forgets to open the gate fails instead of hanging. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private boolean closed;
    private int waiting;
    private @Nullable HostEnvironment clock;
    private Duration delay = Duration.ZERO;

    synchronized void close() {
        closed = true;
    }

    synchronized void open() {
        closed = false;
        clock = null;
        notifyAll();
    }

    synchronized void slowDown(HostEnvironment environment, Duration newDelay) {
        clock = environment;
        delay = newDelay;
    }

    synchronized int waiting() {
        return waiting;
    }

    void pass() {
        HostEnvironment environment;
        CompletableFuture<Void> delayOver = new CompletableFuture<>();
        synchronized (this) {
            environment = clock;
            if (environment == null && !closed) {
                return;
            }
            if (environment != null) {
                environment.schedule(delay, () -> delayOver.complete(null));
            }
            waiting++;
        }
        try {
            if (environment != null) {
                environment.await(delayOver);
            }
            awaitOpen();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.notApplied("faulty: interrupted while held", e);
        } finally {
            synchronized (this) {
                waiting--;
            }
        }
    }

    private synchronized void awaitOpen() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (closed) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0) {
                throw new IllegalStateException("held for " + LONGEST_WAIT + " (expected: a call of letGo())");
            }
            wait(leftMillis);
        }
    }
}
