package dev.holdfast.fleet.internal.planner;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.worker.WorkerHealth;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.internal.Futures;
import java.util.Optional;

/**
 * A check, once per term, that the planner still plans. Otherwise a planner that renews but does not plan would stay
 * unnoticed.
 */
public final class PlannerCheck {
    private final WorkerSetup workerSetup;
    private final WorkerHealth workerHealth;
    private long lookedNanos;

    public PlannerCheck(WorkerSetup workerSetup, WorkerHealth workerHealth) {
        this.workerSetup = workerSetup;
        this.workerHealth = workerHealth;
        this.lookedNanos = workerSetup.runtime().nanos();
    }

    public void lookIfDue() {
        long now = workerSetup.runtime().nanos();
        if (now - lookedNanos < workerSetup.options().term().toNanos()) {
            return;
        }
        lookedNanos = now;
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
        Attributes says = planner.map(LeaseStatus::attributes).orElse(Attributes.NONE);
        workerHealth.planned(planner.map(LeaseStatus::isHeld).orElse(false), UnitAttributes.number(says, "at"));
    }
}
