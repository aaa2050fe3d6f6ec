package dev.holdfast.spring.boot;

import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.tracking.TrackedLeases;
import org.springframework.context.SmartLifecycle;

/**
 * The release of all leases at a shutdown: after the requests in progress have ended, and before the web server and the pools
 * of connections stop.
 */
final class LeaseReleaseLifecycle implements SmartLifecycle {
    /** Between the phases in which Spring Boot ends the requests of the web server, and stops it. */
    static final int PHASE = DEFAULT_PHASE - 1536;

    private final LeaseTracker tracker;
    private volatile boolean running;

    LeaseReleaseLifecycle(LeaseTracker tracker) {
        this.tracker = tracker;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        tracker.clients().forEach(TrackedLeases::close);
        running = false;
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
