package dev.holdfast.internal.pipeline;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Actions that run at a deadline unless they are cancelled before. Nearly all of them are, so one timer serves all: it is
 * set for the earliest deadline, and is not moved when that one is cancelled. A busy client thus sets one timer per
 * operation time-out, not one per request.
 */
final class DeadlineTimer {
    private final HostEnvironment hostEnvironment;
    private final ConcurrentSkipListSet<Deadline> pending = new ConcurrentSkipListSet<>();
    private final AtomicLong places = new AtomicLong();

    /** The timer that is set; null if none is. Guarded by this. */
    private HostEnvironment.@Nullable Timer timer;

    /** When it fires. Guarded by this. */
    private long timerNanos;

    DeadlineTimer(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    /** Runs {@code action} once the ticker has reached {@code nanos}. */
    Deadline watch(long nanos, Runnable action) {
        Deadline deadline = new Deadline(nanos, places.incrementAndGet(), action);
        pending.add(deadline);
        arm(nanos);
        return deadline;
    }

    private synchronized void arm(long nanos) {
        if (timer != null) {
            if (nanos - timerNanos >= 0) {
                return;
            }
            timer.cancel();
        }
        Duration left = Duration.ofNanos(Math.max(0, nanos - hostEnvironment.nanos()));
        timerNanos = nanos;
        timer = hostEnvironment.schedule(left, this::fired);
    }

    private void fired() {
        synchronized (this) {
            timer = null;
        }
        while (!pending.isEmpty()) {
            Deadline first = pending.pollFirst();
            if (first == null) {
                return;
            }
            if (first.nanos - hostEnvironment.nanos() > 0) {
                pending.add(first);
                arm(first.nanos);
                return;
            }
            first.action.run();
        }
    }

    /** One action and its time. */
    final class Deadline implements Comparable<Deadline> {
        private final long nanos;
        private final long place;
        private final Runnable action;

        private Deadline(long nanos, long place, Runnable action) {
            this.nanos = nanos;
            this.place = place;
            this.action = action;
        }

        void cancel() {
            pending.remove(this);
        }

        @Override
        public int compareTo(Deadline other) {
            // By difference, as a ticker may wrap around.
            int byTime = Long.signum(nanos - other.nanos);
            return byTime != 0 ? byTime : Long.compare(place, other.place);
        }
    }
}
