package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Attributes;
import java.util.Optional;

/** Looks, once per term, whether the planner still plans: one that lives and does not would stay unnoticed else. */
final class PlannerCheck {
    private final Setup setup;
    private final Pulse pulse;
    private long lookedNanos;

    PlannerCheck(Setup setup, Pulse pulse) {
        this.setup = setup;
        this.pulse = pulse;
        this.lookedNanos = setup.runtime().nanos();
    }

    void lookIfDue() {
        long now = setup.runtime().nanos();
        if (now - lookedNanos < setup.options().term().toNanos()) {
            return;
        }
        lookedNanos = now;
        // What goes wrong here goes wrong with the polls, too, and is told there.
        Futures.whenDone(Attempt.of(() -> setup.async().get(setup.names().planner())), (found, error) -> {
            if (found != null) {
                note(found);
            }
        });
    }

    private void note(Optional<LeaseStatus> planner) {
        Attributes says = planner.map(LeaseStatus::attributes).orElse(Attributes.NONE);
        pulse.planned(planner.map(LeaseStatus::isHeld).orElse(false), Marks.number(says, "at"));
    }
}
