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
 * @param control the orders of operators; none in a fleet without a planner
 * @param unplaced why units have no worker, or why a draining worker keeps them; empty without a live planner
 */
public record FleetStatus(
        String fleet,
        Optional<String> planner,
        Optional<Duration> planAge,
        List<WorkerStatus> workers,
        long moves,
        UnitTotals units,
        ControlState control,
        List<UnplacedUnits> unplaced) {
    public FleetStatus {
        workers = List.copyOf(workers);
        unplaced = List.copyOf(unplaced);
    }

    /**
     * Returns the live workers of an older version, by name. If one of them becomes the planner, it ignores the orders in
     * {@link #control}.
     */
    public List<String> oldWorkers() {
        return workers.stream()
                .filter(worker -> !worker.followsOrders())
                .map(WorkerStatus::worker)
                .toList();
    }

    /**
     * The status of one worker.
     *
     * @param units the number of units that it holds
     * @param waiting the number of units that were assigned to it and that it has not started
     * @param leaving whether it is being closed
     * @param followsOrders false for a worker of an older version, which ignores the orders of operators as planner
     */
    public record WorkerStatus(String worker, long units, long waiting, boolean leaving, boolean followsOrders) {}

    /**
     * The numbers of units.
     *
     * @param total all units, including done ones
     * @param held units that a worker holds
     * @param unplaced units that no worker can have now, and units that no worker can take from a draining one
     * @param paused paused units
     * @param waiting units that wait for others to be done
     */
    public record UnitTotals(long total, long held, long done, long unplaced, long paused, long waiting) {}

    /**
     * The units that are unplaced for one reason.
     *
     * @param names some of them
     */
    public record UnplacedUnits(UnplacedReason reason, long count, List<String> names) {
        public UnplacedUnits {
            names = List.copyOf(names);
        }
    }
}
