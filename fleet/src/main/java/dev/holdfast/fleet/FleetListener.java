package dev.holdfast.fleet;

import dev.holdfast.Fence;

/**
 * Hears of what a worker does, for metrics and logs. Methods are called on the threads that do the work: they return fast
 * and never block. What they throw is logged. All do nothing by default.
 */
public interface FleetListener {
    /** Hears nothing. */
    FleetListener NONE = new FleetListener() {};

    /** This worker was given a unit. */
    default void onAssigned(String unit, Fence fence) {}

    /** This worker is to stop its work on a unit. */
    default void onRevoked(String unit, Fence fence, RevokeReason reason) {}

    /** The work on a unit had not stopped at its deadline; the unit is let go all the same. */
    default void onOverdue(String unit, Fence fence) {}

    /** A callback for a unit failed. */
    default void onUnitFailed(String unit, Throwable cause) {}

    /** The worker is in the fleet. */
    default void onJoined(String worker) {}

    /** The worker has joined a fleet for which no units were ever created: is its name right? Called once at most. */
    default void onNoUnits(String fleet) {}

    /** The worker is out of the fleet, and tries to join again. */
    default void onLost(String worker, String reason) {}

    /** This worker plans for the fleet from now on, or no longer does. */
    default void onPlanner(boolean planner) {}

    /** This worker has planned: so many units were given to another worker than before, and so many could not be placed. */
    default void onPlanned(int placed, int moved, int unplaced) {}

    /** Something went wrong that will be tried again: the store is in trouble, mostly. */
    default void onTrouble(String what, Throwable cause) {}
}
