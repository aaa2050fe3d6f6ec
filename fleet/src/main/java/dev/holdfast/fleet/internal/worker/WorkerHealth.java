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
    private volatile @Nullable String outReason = "not joined yet";
    private volatile long respondedNanos;
    private volatile long plannedNanos;
    private volatile long lastPlanAt = -1;

    WorkerHealth(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
        this.respondedNanos = workerSetup.runtime().nanos();
        this.plannedNanos = respondedNanos;
    }

    void joined() {
        outReason = null;
        respondedNanos = workerSetup.runtime().nanos();
        plannedNanos = respondedNanos;
    }

    void lost(String reason) {
        outReason = reason;
    }

    void storeResponded() {
        respondedNanos = workerSetup.runtime().nanos();
    }

    /** Notes that the store responded, in a fleet that needs no planner. */
    void storeRespondedAndPlanned() {
        storeResponded();
        plannedNanos = respondedNanos;
    }

    /**
     * Notes the time of the planner's last plan. The planner's clock does not matter: planning continues if the value
     * has changed.
     */
    public void planned(boolean planned, long at) {
        if (planned && at != lastPlanAt) {
            lastPlanAt = at;
            plannedNanos = workerSetup.runtime().nanos();
        }
    }

    FleetHealth health() {
        String reason = outReason;
        if (reason != null) {
            return FleetHealth.bad(reason);
        }
        Duration sinceResponse = since(respondedNanos);
        Duration term = workerSetup.options().term();
        if (sinceResponse.compareTo(term) > 0) {
            return FleetHealth.bad("the store has not responded for " + sinceResponse.toSeconds() + " s");
        }
        Duration sincePlan = since(plannedNanos);
        Duration planLimit = term.plus(workerSetup.options().planEvery()).multipliedBy(3);
        if (sincePlan.compareTo(planLimit) > 0) {
            return FleetHealth.bad("planning has stalled: nothing planned for " + sincePlan.toSeconds() + " s");
        }
        return FleetHealth.GOOD;
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(workerSetup.runtime().nanos() - nanos);
    }
}
