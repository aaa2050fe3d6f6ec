package dev.holdfast.fleet.internal.reports;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitAttributes;

/**
 * The report of the planner after each round. It is stored on the planner's lease.
 *
 * @param atMillis when it planned, on its own wall clock; 0 if it has not planned yet
 * @param unplaced the number of units that no worker can have, or that no worker can take from a draining one
 * @param moves the number of units being moved between live workers
 */
public record PlannerReport(long atMillis, long units, long done, long unplaced, long moves, PlanDetails details) {
    public AttributePatch toPatch() {
        return AttributePatch.replaceWith(details.addTo(Attributes.NONE
                .with("at", atMillis)
                .with("units", units)
                .with("done", done)
                .with("unplaced", unplaced)
                .with("moves", moves)));
    }

    public static PlannerReport of(Attributes attributes) {
        return new PlannerReport(
                UnitAttributes.number(attributes, "at"),
                UnitAttributes.number(attributes, "units"),
                UnitAttributes.number(attributes, "done"),
                UnitAttributes.number(attributes, "unplaced"),
                UnitAttributes.number(attributes, "moves"),
                PlanDetails.of(attributes));
    }
}
