package dev.holdfast.internal.holding;

import dev.holdfast.Lease;
import dev.holdfast.store.HostEnvironment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callbacks of one lease, run one after another in their order. Callbacks of different leases run at the same time,
 * as far as the environment has threads. So a callback that blocks delays only the other callbacks of its own lease.
 *
 * <p>Thread-safe; callbacks run without the lock.
 */
final class CallbackQueue {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    private final HostEnvironment hostEnvironment;
    private final Deque<Runnable> waiting = new ArrayDeque<>(1);
    private boolean running;

    CallbackQueue(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    void add(Runnable callback) {
        synchronized (this) {
            waiting.add(callback);
            if (running) {
                return;
            }
            running = true;
        }
        start();
    }

    private void start() {
        try {
            hostEnvironment.execute(this::runNext);
        } catch (Throwable e) {
            // For example, there was no memory for a thread. The next callback of this lease tries again.
            log.error("a callback could not be started", e);
            synchronized (this) {
                running = false;
            }
        }
    }

    private void runNext() {
        Runnable next;
        synchronized (this) {
            next = waiting.remove();
        }
        try {
            next.run();
        } finally {
            if (hasMore()) {
                start();
            }
        }
    }

    private synchronized boolean hasMore() {
        running = !waiting.isEmpty();
        return running;
    }
}
