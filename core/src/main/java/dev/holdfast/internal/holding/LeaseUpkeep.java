package dev.holdfast.internal.holding;

import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.service.LeaseService;
import dev.holdfast.support.Futures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The recurring work for one held lease: renew it, warn before it expires, and end it when it has expired. */
final class LeaseUpkeep {
    private final HeldLease lease;
    private final RenewalTimer renewalTimer;
    private final RenewalSchedule renewalSchedule;
    private final ExpiryWarnings expiryWarnings = new ExpiryWarnings();

    LeaseUpkeep(HeldLease lease, RenewalTimer renewalTimer, boolean autoRenew) {
        this.lease = lease;
        this.renewalTimer = renewalTimer;
        this.renewalSchedule = new RenewalSchedule(autoRenew, lease.environment());
    }

    boolean isAuto() {
        return renewalSchedule.isAuto();
    }

    boolean isStoreInTrouble() {
        return renewalSchedule.isStoreInTrouble();
    }

    /** @return an action that removes the warning */
    Runnable warn(Duration before, Runnable callback) {
        Runnable remove = expiryWarnings.add(before, callback);
        renewalTimer.plan(lease);
        return remove;
    }

    void renewed() {
        renewalSchedule.succeeded();
        expiryWarnings.rearm();
    }

    void failed(boolean byStore) {
        renewalSchedule.failed(byStore);
    }

    /** Does the work that is due. Returns false once the lease has ended. */
    boolean tick() {
        if (!lease.isHeld()) {
            return false;
        }
        LeaseService leaseRequests = lease.requests;
        expiryWarnings.due(lease.remaining()).forEach(Runnable::run);
        if (renewalSchedule.isDue(leaseRequests.nanos(), lease.tenure())) {
            renewalSchedule.begin();
            Futures.whenDone(lease.renewAsync(), (done, error) -> renewalTimer.plan(lease));
        }
        return true;
    }

    /** When work is due next; null if the lease has ended. */
    @Nullable
    Long nextTickNanos() {
        if (lease.hasEnded()) {
            return null;
        }
        Tenure tenure = lease.tenure();
        long deadline = lease.deadlineNanos();
        long next = Math.min(renewalSchedule.dueNanos(tenure, deadline), expiryWarnings.nextNanos(deadline));
        // Timers follow the ticker. After a sleep, or a jump of the wall clock, the term may be over before a timer
        // fires. So the lease is checked every third of its term in any case.
        return Math.min(next, lease.requests.nanos() + RenewalSchedule.third(tenure));
    }
}
