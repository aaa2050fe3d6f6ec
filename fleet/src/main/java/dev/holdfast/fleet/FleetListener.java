package dev.holdfast.fleet;

import dev.holdfast.Fence;

/**
 * A listener for the events of a worker, for metrics and logs. Methods are called on the threads that do the work, so
 * they must return fast and never block. Exceptions they throw are logged. All methods do nothing by default.
 */
public interface FleetListener {
    /** A listener that ignores all events. */
    FleetListener NONE = new FleetListener() {};

    /** A unit was assigned to this worker and acquired. */
    default void onAssigned(String unit, Fence fence) {}

    /** This worker must stop its work on a unit. */
    default void onRevoked(String unit, Fence fence, RevokeReason reason) {}

    /** The work on a unit had not stopped at its deadline. The unit is released regardless. */
    default void onOverdue(String unit, Fence fence) {}

    /** A callback for a unit failed. */
    default void onUnitFailed(String unit, Throwable cause) {}

    /** The worker has joined the fleet. */
    default void onJoined(String worker) {}

    /**
     * The worker has joined a fleet for which no units were ever created. Its name may be wrong. Called at most once.
     */
    default void onNoUnits(String fleet) {}

    /** The worker has lost its place in the fleet, and tries to join again. */
    default void onLost(String worker, String reason) {}

    /** This worker has become the planner of the fleet, or is no longer the planner. */
    default void onPlanner(boolean planner) {}

    /**
     * This worker has completed a plan.
     *
     * @param placed units assigned because no live worker could keep them
     * @param moved units moved from a worker that could have kept them
     * @param unplaced units that no worker may or can have now
     */
    default void onPlanned(int placed, int moved, int unplaced) {}

    /**
     * An operation failed and will be retried. Most often the store is the cause.
     *
     * @param operation the operation that failed
     */
    default void onTrouble(String operation, Throwable cause) {}
}
