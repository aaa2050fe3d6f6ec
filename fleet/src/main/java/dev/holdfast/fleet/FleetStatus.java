package dev.holdfast.fleet;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a fleet, as read from the store.
 *
 * @param planner the worker that plans; empty if there is none, or the fleet runs without a planner
 * @param planAge the time since the last plan; it compares the clocks of two machines, so it is for display only
 * @param workers the live workers, by name
 * @param moves units that were assigned to a worker that has not started them
 */
public record FleetStatus(
        String fleet,
        Optional<String> planner,
        Optional<Duration> planAge,
        List<WorkerStatus> workers,
        long moves,
        UnitTotals units) {
    public FleetStatus {
        workers = List.copyOf(workers);
    }

    /**
     * The status of one worker.
     *
     * @param units the number of units that it holds
     * @param waiting the number of units that were assigned to it and that it has not started
     * @param leaving whether it is being closed
     */
    public record WorkerStatus(String worker, long units, long waiting, boolean leaving) {}

    /**
     * The numbers of units.
     *
     * @param total all units, including done ones
     * @param held units that a worker holds
     * @param unplaced units that no worker may or can have now
     */
    public record UnitTotals(long total, long held, long done, long unplaced) {}
}
