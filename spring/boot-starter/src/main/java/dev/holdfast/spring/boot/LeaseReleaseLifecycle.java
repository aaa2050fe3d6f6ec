package dev.holdfast.spring.boot;

import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.tracking.TrackedLeases;
import dev.holdfast.spring.weaving.RunningCalls;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The release of all leases at a shutdown: after the requests in progress have ended, and before the web server and the pools
 * of connections stop. Methods that still run under a lease are interrupted first.
 */
final class LeaseReleaseLifecycle implements SmartLifecycle {
    /** Between the phases in which Spring Boot ends the requests of the web server, and stops it. */
    static final int PHASE = DEFAULT_PHASE - 1536;

    private static final Logger log = LoggerFactory.getLogger(LeaseReleaseLifecycle.class);

    /** For methods that notice an interrupt. Schedulers and the web server have waited for the others before. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LeaseTracker tracker;
    private final RunningCalls calls;
    private volatile boolean running;

    LeaseReleaseLifecycle(LeaseTracker tracker, RunningCalls calls) {
        this.tracker = tracker;
        this.calls = calls;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        endCalls();
        tracker.clients().forEach(TrackedLeases::close);
        running = false;
    }

    /** A method must not go on without its lease. */
    private void endCalls() {
        try {
            int left = calls.interruptAll(PATIENCE);
            if (left > 0) {
                log.warn("{} methods go on although they were interrupted; their leases are released", left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** A closed client cannot be opened again. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
