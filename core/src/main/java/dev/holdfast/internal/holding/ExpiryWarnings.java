package dev.holdfast.internal.holding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The warnings that a lease is about to expire. Each is given once per term. */
final class ExpiryWarnings {
    private final List<Warning> warnings = new ArrayList<>(0);

    /** @return an action that removes the warning */
    synchronized Runnable add(Duration before, Runnable callback) {
        Warning warning = new Warning(before, callback);
        warnings.add(warning);
        return () -> remove(warning);
    }

    private synchronized void remove(Warning warning) {
        warnings.remove(warning);
    }

    /** The warnings that are due when {@code left} remains of the term. */
    synchronized List<Runnable> due(Duration left) {
        List<Runnable> due = new ArrayList<>(0);
        for (Warning warning : warnings) {
            if (!warning.given && left.compareTo(warning.before) <= 0) {
                warning.given = true;
                due.add(warning.callback);
            }
        }
        return due;
    }

    /** A new term has begun. */
    synchronized void rearm() {
        warnings.forEach(warning -> warning.given = false);
    }

    /**
     * When the next warning is due, if the lease ends at {@code deadlineNanos}; {@code deadlineNanos} if none is
     * pending.
     */
    synchronized long nextNanos(long deadlineNanos) {
        return warnings.stream()
                .filter(warning -> !warning.given)
                .mapToLong(warning -> deadlineNanos - warning.before.toNanos())
                .min()
                .orElse(deadlineNanos);
    }

    private static final class Warning {
        private final Duration before;
        private final Runnable callback;
        private boolean given;

        Warning(Duration before, Runnable callback) {
            this.before = before;
            this.callback = callback;
        }
    }
}
