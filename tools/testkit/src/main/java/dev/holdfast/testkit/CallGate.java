package dev.holdfast.testkit;

import dev.holdfast.StoreException;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where calls wait: until it is opened, or for a delay on a runtime's clock. Thread-safe. */
final class CallGate {
    /** A test that forgot to open it shall fail, not hang. */
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

    synchronized void slowDown(HostEnvironment hostEnvironment, Duration newDelay) {
        clock = hostEnvironment;
        delay = newDelay;
    }

    synchronized int waiting() {
        return waiting;
    }

    void pass() {
        HostEnvironment hostEnvironment;
        CompletableFuture<Void> over = new CompletableFuture<>();
        synchronized (this) {
            hostEnvironment = clock;
            if (hostEnvironment == null && !closed) {
                return;
            }
            if (hostEnvironment != null) {
                hostEnvironment.schedule(delay, () -> over.complete(null));
            }
            waiting++;
        }
        try {
            if (hostEnvironment != null) {
                hostEnvironment.await(over);
            }
            awaitOpen();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.notApplied("faulty: interrupted while held up", e);
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
                throw new IllegalStateException("held up for " + LONGEST_WAIT + " and nobody said letGo()");
            }
            wait(leftMillis);
        }
    }
}
