package dev.holdfast.fleet;

import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.ControlState.UnitMove;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The planner's view of one unit, as read from the store. Several facts may be true at once. The standing is the one
 * that decides.
 *
 * @param planner the worker that plans; empty if there is none
 * @param assignedTo the worker that the plan gives the unit to
 * @param heldBy the worker that holds the unit's lease
 * @param paused present if the unit is paused
 * @param waitsFor the units that must be done first and are not
 * @param rest present if the unit failed, and its planner keeps it from a worker for a while
 * @param unplaced present if the planner has no worker for it
 * @param move present if the unit was moved to a worker by an operator
 * @param draining present if the worker that has the unit is drained
 * @param frozen present if the fleet is frozen
 */
public record UnitOutlook(
        String unit,
        Standing standing,
        Optional<String> planner,
        Optional<String> assignedTo,
        Optional<String> heldBy,
        Optional<ControlNote> paused,
        List<String> waitsFor,
        Optional<FailureRest> rest,
        Optional<UnplacedReason> unplaced,
        Optional<UnitMove> move,
        Optional<ControlNote> draining,
        Optional<ControlNote> frozen) {
    public UnitOutlook {
        waitsFor = List.copyOf(waitsFor);
    }

    /** The fact that decides about a unit. */
    public enum Standing {
        /** There is no such unit. */
        NO_UNIT,
        /** The unit is done. */
        DONE,
        /** The unit is deleted when its worker has released it. */
        DELETING,
        /** The unit is paused. A worker may still hold it, until it has stopped. */
        PAUSED,
        /** The unit waits for others that must be done first. */
        WAITING,
        /** A worker holds the unit, and the plan agrees. */
        HELD,
        /** The plan gives the unit to a worker that does not hold it yet. */
        ASSIGNED,
        /** The planner has no worker for it: see {@link UnitOutlook#unplaced}. */
        UNPLACED,
        /** The planner has not planned the unit yet. */
        UNPLANNED,
        /** No worker is the planner now. */
        NO_PLANNER
    }

    /**
     * The back-off of a unit that failed.
     *
     * @param worker the worker that it failed on last
     * @param failures the number of failures in a row
     * @param until when that worker may have it again, by the planner's clock
     */
    public record FailureRest(String worker, int failures, Instant until) {}

    /** Returns one sentence for people. */
    public String summary() {
        String name = "Unit " + unit;
        return switch (standing) {
            case NO_UNIT -> "There is no unit " + unit + ".";
            case DONE -> name + " is done.";
            case DELETING -> name + " is deleted as soon as " + heldBy.orElse("its worker") + " has stopped it.";
            case PAUSED ->
                paused.map(note -> name + " is paused by " + note.by()
                                + heldBy.map(worker -> ", and " + worker + " has not stopped it yet")
                                        .orElse("")
                                + ".")
                        .orElse(name + " is paused.");
            case WAITING -> name + " waits until these are done: " + String.join(", ", waitsFor) + ".";
            case HELD ->
                "Worker " + heldBy.orElse("") + " has unit " + unit
                        + draining.map(note -> ", and is draining").orElse("") + ".";
            case ASSIGNED ->
                name + " is assigned to " + assignedTo.orElse("")
                        + heldBy.map(worker -> ", and " + worker + " has not released it yet")
                                .orElse(", which has not acquired it yet")
                        + ".";
            case UNPLACED ->
                "No worker can have unit " + unit + ": "
                        + unplaced.map(UnplacedReason::text).orElse("the reason is unknown")
                        + rest.map(resting -> ", until " + resting.until()).orElse("") + ".";
            case UNPLANNED -> "The planner, " + planner.orElse("") + ", has not planned unit " + unit + " yet.";
            case NO_PLANNER -> "No worker plans for the fleet of unit " + unit + " now.";
        };
    }
}
