package dev.holdfast.fleet.internal.worker;

import dev.holdfast.fleet.FleetHealth;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The health of a worker: whether the store responds to it, and whether a planner plans. It is written by the worker
 * and read by any thread. A stall must show even if nothing runs any more, so the health is derived from the time since
 * the last success.
 */
public final class WorkerHealth {
    private final WorkerSetup workerSetup;
    private volatile @Nullable String out = "not joined yet";
    private volatile long answeredNanos;
    private volatile long plannedNanos;
    private volatile long seenAt = -1;

    WorkerHealth(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
        this.answeredNanos = workerSetup.runtime().nanos();
        this.plannedNanos = answeredNanos;
    }

    void joined() {
        out = null;
        answeredNanos = workerSetup.runtime().nanos();
        plannedNanos = answeredNanos;
    }

    void lost(String reason) {
        out = reason;
    }

    void answered() {
        answeredNanos = workerSetup.runtime().nanos();
    }

    /** Notes that the store responded, in a fleet that needs no planner. */
    void alive() {
        answered();
        plannedNanos = answeredNanos;
    }

    /**
     * Notes the time of the planner's last plan. The planner's clock does not matter: planning continues if the value
     * has changed.
     */
    public void planned(boolean planned, long at) {
        if (planned && at != seenAt) {
            seenAt = at;
            plannedNanos = workerSetup.runtime().nanos();
        }
    }

    FleetHealth health() {
        String reason = out;
        if (reason != null) {
            return FleetHealth.bad(reason);
        }
        Duration silent = since(answeredNanos);
        Duration term = workerSetup.options().term();
        if (silent.compareTo(term) > 0) {
            return FleetHealth.bad("the store has not answered for " + silent.toSeconds() + " s");
        }
        Duration unplanned = since(plannedNanos);
        Duration patience = term.plus(workerSetup.options().planEvery()).multipliedBy(3);
        if (unplanned.compareTo(patience) > 0) {
            return FleetHealth.bad("planning has stalled: nothing planned for " + unplanned.toSeconds() + " s");
        }
        return FleetHealth.GOOD;
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(workerSetup.runtime().nanos() - nanos);
    }
}
