package dev.holdfast.internal.holding;

import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recurring work for one held lease: renew it, warn before it expires, and end it when it has expired.
 *
 * <p>A lease is renewed after a third of its term, so that two more attempts fit in. Random offsets spread leases that
 * were granted together, so that they are not all renewed at the same moment. A warning is given once per term.
 *
 * <p>Thread-safe. The lease and callbacks are called without the lock.
 */
final class LeaseUpkeep {
    private static final int RENEWALS_PER_TERM = 3;
    /** Retries after a failure other than an unreachable store, which the pipeline retries by itself. */
    private static final int RETRIES_PER_TERM = 10;

    private static final double SPREAD = 0.1;

    private final HeldLease lease;
    private final RenewalTimer renewalTimer;
    private final boolean auto;
    private final double spread;
    private final List<Warning> warnings = new ArrayList<>(0);
    private boolean renewing;
    private boolean storeInTrouble;
    private long failures;

    LeaseUpkeep(HeldLease lease, RenewalTimer renewalTimer, boolean autoRenew) {
        this.lease = lease;
        this.renewalTimer = renewalTimer;
        this.auto = autoRenew;
        this.spread = autoRenew ? 1 - SPREAD * lease.environment().random() : 1;
    }

    /** A warning that the rest of the term has fallen to {@code before}. */
    private static final class Warning {
        private final Duration before;
        private final Runnable callback;
        private boolean given;

        Warning(Duration before, Runnable callback) {
            this.before = before;
            this.callback = callback;
        }
    }

    boolean isAuto() {
        return auto;
    }

    /** Whether the last renewal got no answer, or an error of the store. */
    synchronized boolean isStoreInTrouble() {
        return storeInTrouble;
    }

    /** @return an action that removes the warning */
    Runnable warn(Duration before, Runnable callback) {
        Warning warning = new Warning(before, callback);
        synchronized (this) {
            warnings.add(warning);
        }
        renewalTimer.plan(lease);
        return () -> remove(warning);
    }

    private synchronized void remove(Warning warning) {
        warnings.remove(warning);
    }

    synchronized void renewed() {
        renewing = false;
        failures = 0;
        storeInTrouble = false;
        warnings.forEach(warning -> warning.given = false);
    }

    synchronized void failed(boolean byStore) {
        renewing = false;
        failures++;
        storeInTrouble = byStore;
    }

    /** Does the work that is due. Returns false once the lease has ended. */
    boolean tick() {
        if (!lease.isHeld()) {
            return false;
        }
        dueWarnings(lease.remaining()).forEach(Runnable::run);
        if (beginRenewal(lease.requests.nanos())) {
            Futures.whenDone(lease.renew(lease.requests), (done, error) -> renewalTimer.plan(lease));
        }
        return true;
    }

    private synchronized List<Runnable> dueWarnings(Duration left) {
        List<Runnable> due = new ArrayList<>(0);
        for (Warning warning : warnings) {
            if (!warning.given && left.compareTo(warning.before) <= 0) {
                warning.given = true;
                due.add(warning.callback);
            }
        }
        return due;
    }

    private synchronized boolean beginRenewal(long nowNanos) {
        boolean due = auto && !renewing && nowNanos - renewalNanos(lease.tenure()) >= 0;
        if (due) {
            renewing = true;
            storeInTrouble = true;
        }
        return due;
    }

    private long renewalNanos(Tenure tenure) {
        long term = tenure.term().toNanos();
        long first = (long) (spread * term) / RENEWALS_PER_TERM;
        return tenure.start().nanos() + first + failures * (term / RETRIES_PER_TERM);
    }

    /** When work is due next; null if the lease has ended. */
    @Nullable
    Long nextTickNanos() {
        if (lease.hasEnded()) {
            return null;
        }
        Tenure tenure = lease.tenure();
        long next = nextDueNanos(tenure, lease.deadlineNanos());
        // Timers follow the ticker. After a sleep, or a jump of the wall clock, the term may be over before a timer
        // fires. So the lease is checked every third of its term in any case.
        long third = Math.max(1, tenure.term().toNanos() / RENEWALS_PER_TERM);
        return Math.min(next, lease.requests.nanos() + third);
    }

    private synchronized long nextDueNanos(Tenure tenure, long deadlineNanos) {
        long next = auto && !renewing ? Math.min(renewalNanos(tenure), deadlineNanos) : deadlineNanos;
        for (Warning warning : warnings) {
            if (!warning.given) {
                next = Math.min(next, deadlineNanos - warning.before.toNanos());
            }
        }
        return next;
    }
}
