package dev.holdfast.fleet.internal.control;

import dev.holdfast.AsyncLeases;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.support.ArgumentCheck;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;

/** A check that units exist, so that a misspelt name is rejected and not paused. */
record UnitCheck(AsyncLeases leases, FleetKeyLayout layout) {
    CompletionStage<Void> requireUnits(Collection<String> units) {
        Set<String> missing = new ConcurrentSkipListSet<>();
        Set<String> unplanned = new ConcurrentSkipListSet<>();
        return ConcurrentCalls.over(
                        units,
                        unit -> leases.get(layout.unit(unit)).thenAccept(found -> {
                            if (found.filter(layout::isUnit).isEmpty()) {
                                (found.filter(this::isUnplanned).isPresent() ? unplanned : missing).add(unit);
                            }
                        }))
                .thenRun(() -> {
                    if (!unplanned.isEmpty()) {
                        throw ArgumentCheck.bad(
                                "fleet", layout.fleet(), "a fleet with a planner, which alone follows such orders");
                    }
                    if (!missing.isEmpty()) {
                        throw ArgumentCheck.bad("unit", String.join(", ", missing), "units of fleet " + layout.fleet());
                    }
                });
    }

    /** Returns whether the key is a unit of a fleet without a planner, which holds its units without an anchor. */
    private boolean isUnplanned(LeaseStatus status) {
        return FleetKeyLayout.withoutPlanner(layout.fleet(), layout.units()).isUnit(status)
                && status.entry().heldThrough() == null;
    }
}
