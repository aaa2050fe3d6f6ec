package dev.holdfast.fleet.internal.worker;

import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.reports.PlannerReport;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The health of a worker: whether the store responds to it, a planner plans, and no callback is stuck. It is written by the worker
 * and read by any thread. A stall must show even if nothing runs any more, so the health is derived from the time since
 * the last success.
 */
public final class WorkerHealth {
    private final WorkerClient client;
    private final CallbackRunner callbacks;
    private volatile @Nullable String outReason = "not joined yet";
    private volatile long respondedNanos;
    private volatile long plannedNanos;
    private volatile long lastPlanAt = -1;
    private long checkedNanos;

    public WorkerHealth(WorkerClient client, CallbackRunner callbacks) {
        this.client = client;
        this.callbacks = callbacks;
        this.respondedNanos = client.nanos();
        this.plannedNanos = respondedNanos;
        this.checkedNanos = respondedNanos;
    }

    public void joined() {
        outReason = null;
        storeRespondedAndPlanned();
    }

    public void lost(String reason) {
        outReason = reason;
    }

    void storeResponded() {
        respondedNanos = client.nanos();
    }

    /** Notes that the store responded, in a fleet that needs no planner. */
    public void storeRespondedAndPlanned() {
        storeResponded();
        plannedNanos = respondedNanos;
    }

    /**
     * Checks, once per term, that the planner still plans. Otherwise a planner that renews but does not plan would stay
     * unnoticed.
     */
    void checkPlannerIfDue() {
        long now = client.nanos();
        if (now - checkedNanos < client.options().term().toNanos()) {
            return;
        }
        checkedNanos = now;
        // If this fails, the polls fail too, and they report it.
        Futures.whenDone(
                Futures.contain(
                        () -> client.async().get(client.layout().planner()).toCompletableFuture()),
                (found, error) -> {
                    if (found != null) {
                        notePlanner(found.filter(LeaseStatus::isHeld));
                    }
                });
    }

    /** The planner's clock does not matter: planning continues if the time of its last plan has changed. */
    private void notePlanner(Optional<LeaseStatus> planner) {
        planner.map(lease -> PlannerReport.of(lease.attributes()).atMillis())
                .filter(at -> at != lastPlanAt)
                .ifPresent(at -> {
                    lastPlanAt = at;
                    plannedNanos = client.nanos();
                });
    }

    public FleetHealth health() {
        String reason = outReason;
        if (reason != null) {
            return FleetHealth.bad(reason);
        }
        Duration sinceResponse = since(respondedNanos);
        Duration term = client.options().term();
        if (sinceResponse.compareTo(term) > 0) {
            return FleetHealth.bad("the store has not responded for " + sinceResponse.toSeconds() + " s");
        }
        Duration sincePlan = since(plannedNanos);
        Duration planLimit = term.plus(client.options().planEvery()).multipliedBy(3);
        if (sincePlan.compareTo(planLimit) > 0) {
            return FleetHealth.bad("planning has stalled: nothing planned for " + sincePlan.toSeconds() + " s");
        }
        return callbacks.health();
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(client.nanos() - nanos);
    }
}
