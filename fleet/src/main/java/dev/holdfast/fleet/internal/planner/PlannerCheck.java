package dev.holdfast.fleet.internal.planner;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.worker.WorkerHealth;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.support.Futures;
import java.util.Optional;

/**
 * A check, once per term, that the planner still plans. Otherwise a planner that renews but does not plan would stay
 * unnoticed.
 */
public final class PlannerCheck {
    private final WorkerSetup workerSetup;
    private final WorkerHealth workerHealth;
    private long checkedNanos;

    public PlannerCheck(WorkerSetup workerSetup, WorkerHealth workerHealth) {
        this.workerSetup = workerSetup;
        this.workerHealth = workerHealth;
        this.checkedNanos = workerSetup.runtime().nanos();
    }

    public void checkIfDue() {
        long now = workerSetup.runtime().nanos();
        if (now - checkedNanos < workerSetup.options().term().toNanos()) {
            return;
        }
        checkedNanos = now;
        // If this fails, the polls fail too, and they report it.
        Futures.whenDone(
                ContainedCall.of(
                        () -> workerSetup.async().get(workerSetup.names().planner())),
                (found, error) -> {
                    if (found != null) {
                        note(found);
                    }
                });
    }

    private void note(Optional<LeaseStatus> planner) {
        Attributes reported = planner.map(LeaseStatus::attributes).orElse(Attributes.NONE);
        workerHealth.planned(planner.map(LeaseStatus::isHeld).orElse(false), UnitAttributes.number(reported, "at"));
    }
}
