package dev.holdfast.locks;

import dev.holdfast.rules.ClockReading;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The time for which a holder may rely on a renewal by token, counted by the clocks of this machine. It is running, until it is
 * over or stopped.
 *
 * <p>Thread-safe.
 */
final class BoundedTerm {
    private final LeaseService service;
    private final ClockReading start;
    private final Duration length;
    private final Runnable whenOver;
    private final AtomicReference<TermPhase> phase = new AtomicReference<>(TermPhase.RUNNING);
    private final HostEnvironment.Timer timer;

    private enum TermPhase {
        RUNNING,
        OVER,
        STOPPED
    }

    /** @param whenOver called once if the time is over before it is stopped; it must not block */
    BoundedTerm(LeaseService service, Duration length, Runnable whenOver) {
        this.service = service;
        this.start = service.reading();
        this.length = length;
        this.whenOver = whenOver;
        this.timer = service.environment().schedule(length, this::isOver);
    }

    Duration remaining() {
        Duration left = length.minus(service.validity().elapsed(start, service.reading()));
        return left.isNegative() || isOver() ? Duration.ZERO : left;
    }

    /** Whether the time is over; once true, it stays true. */
    boolean isOver() {
        boolean isElapsed = service.validity().elapsed(start, service.reading()).compareTo(length) >= 0;
        if (isElapsed && phase.compareAndSet(TermPhase.RUNNING, TermPhase.OVER)) {
            whenOver.run();
        }
        return phase.get() == TermPhase.OVER;
    }

    /**
     * Ends it before its time, so that {@code whenOver} is not called any more.
     *
     * @return false if it was over before
     */
    boolean stop() {
        timer.cancel();
        return !isOver() && phase.compareAndSet(TermPhase.RUNNING, TermPhase.STOPPED);
    }
}
