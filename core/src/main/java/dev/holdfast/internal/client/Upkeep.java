package dev.holdfast.internal.client;

import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Requests;
import dev.holdfast.internal.rules.Belief.Tenure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to be done for one lease while it is held, and when: renew it, warn of its end, and end it. */
final class Upkeep {
    private final HeldLease lease;
    private final KeepAlive keepAlive;
    private final Renewal renewal;
    private final Warnings warnings = new Warnings();

    Upkeep(HeldLease lease, KeepAlive keepAlive, boolean autoRenew) {
        this.lease = lease;
        this.keepAlive = keepAlive;
        this.renewal = new Renewal(autoRenew, lease.runtime());
    }

    boolean isAuto() {
        return renewal.isAuto();
    }

    boolean isStoreInTrouble() {
        return renewal.isStoreInTrouble();
    }

    /** @return takes the warning back */
    Runnable warn(Duration before, Runnable callback) {
        Runnable takeBack = warnings.add(before, callback);
        keepAlive.plan(lease);
        return takeBack;
    }

    void renewed() {
        renewal.succeeded();
        warnings.rearm();
    }

    void failed(boolean byStore) {
        renewal.failed(byStore);
    }

    /** Does what is due; whether there will be more. */
    boolean tick() {
        if (!lease.isHeld()) {
            return false;
        }
        Requests requests = lease.requests;
        warnings.due(lease.remaining()).forEach(Runnable::run);
        if (renewal.isDue(requests.nanos(), lease.tenure())) {
            renewal.begin();
            Futures.whenDone(lease.renewAsync(), (done, error) -> keepAlive.plan(lease));
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
        long next = Math.min(renewal.dueNanos(tenure, deadline), warnings.nextNanos(deadline));
        // Timers follow the ticker. After a sleep or a jump of the wall clock the term may be over before they say so,
        // so the lease is looked at now and then in any case.
        return Math.min(next, lease.requests.nanos() + Renewal.third(tenure));
    }
}
