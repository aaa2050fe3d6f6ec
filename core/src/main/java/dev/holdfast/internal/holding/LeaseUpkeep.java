package dev.holdfast.internal.holding;

import dev.holdfast.internal.Futures;
import dev.holdfast.internal.pipeline.LeaseRequests;
import dev.holdfast.internal.rules.ValidityRules.Tenure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to be done for one lease while it is held, and when: renew it, warn of its end, and end it. */
final class LeaseUpkeep {
    private final HeldLease lease;
    private final RenewalTimer renewalTimer;
    private final RenewalSchedule renewalSchedule;
    private final ExpiryWarnings expiryWarnings = new ExpiryWarnings();

    LeaseUpkeep(HeldLease lease, RenewalTimer renewalTimer, boolean autoRenew) {
        this.lease = lease;
        this.renewalTimer = renewalTimer;
        this.renewalSchedule = new RenewalSchedule(autoRenew, lease.runtime());
    }

    boolean isAuto() {
        return renewalSchedule.isAuto();
    }

    boolean isStoreInTrouble() {
        return renewalSchedule.isStoreInTrouble();
    }

    /** @return takes the warning back */
    Runnable warn(Duration before, Runnable callback) {
        Runnable takeBack = expiryWarnings.add(before, callback);
        renewalTimer.plan(lease);
        return takeBack;
    }

    void renewed() {
        renewalSchedule.succeeded();
        expiryWarnings.rearm();
    }

    void failed(boolean byStore) {
        renewalSchedule.failed(byStore);
    }

    /** Does what is due; whether there will be more. */
    boolean tick() {
        if (!lease.isHeld()) {
            return false;
        }
        LeaseRequests leaseRequests = lease.requests;
        expiryWarnings.due(lease.remaining()).forEach(Runnable::run);
        if (renewalSchedule.isDue(leaseRequests.nanos(), lease.tenure())) {
            renewalSchedule.begin();
            Futures.whenDone(lease.renewAsync(), (done, error) -> renewalTimer.plan(lease));
        }
        return true;
    }

    /** When the next thing is due; null if nothing will be. */
    @Nullable
    Long nextTickNanos() {
        if (lease.hasEnded()) {
            return null;
        }
        Tenure tenure = lease.tenure();
        long deadline = lease.deadlineNanos();
        long next = Math.min(renewalSchedule.dueNanos(tenure, deadline), expiryWarnings.nextNanos(deadline));
        // Timers follow the ticker. After a sleep or a jump of the wall clock the term may be over before they say so,
        // so the lease is looked at now and then in any case.
        return Math.min(next, lease.requests.nanos() + RenewalSchedule.third(tenure));
    }
}
