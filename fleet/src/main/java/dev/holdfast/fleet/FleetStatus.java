package dev.holdfast.fleet;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The status of a fleet, as read from the store.
 *
 * @param planner the worker that plans; empty if there is none, or the fleet runs without a planner
 * @param planAge the time since the last plan; it compares the clocks of two machines, so it is for display only
 * @param workers the live workers, by name
 * @param moves units that were assigned to a worker that has not started them
 * @param withoutWorker why units have no worker, as the planner sees it, most units first; empty if no planner plans
 */
public record FleetStatus(
        String fleet,
        Optional<String> planner,
        Optional<Duration> planAge,
        List<WorkerStatus> workers,
        long moves,
        UnitTotals units,
        List<UnplacedUnits> withoutWorker) {
    public FleetStatus {
        workers = List.copyOf(workers);
        withoutWorker = List.copyOf(withoutWorker);
    }

    /**
     * The status of one worker.
     *
     * @param units the number of units that it holds
     * @param waiting the number of units that were assigned to it and that it has not started
     * @param leaving whether it is being closed
     * @param capacity the maximum number of units that it takes; {@link Integer#MAX_VALUE} if unlimited
     * @param load the load that it reported last; empty if it reports none
     */
    public record WorkerStatus(
            String worker,
            long units,
            long waiting,
            boolean leaving,
            int capacity,
            Map<String, String> labels,
            OptionalDouble load) {
        public WorkerStatus {
            labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        }

        /** A worker without a limit, labels and load. */
        public WorkerStatus(String worker, long units, long waiting, boolean leaving) {
            this(worker, units, waiting, leaving, Integer.MAX_VALUE, Map.of(), OptionalDouble.empty());
        }
    }

    /**
     * The numbers of units.
     *
     * @param total all units, including done ones
     * @param held units that a worker holds
     * @param unplaced units that no worker may or can have now
     */
    public record UnitTotals(long total, long held, long done, long unplaced) {}

    /** A number of units that have no worker for the same reason. Units that wait for others are not unplaced. */
    public record UnplacedUnits(UnplacedReason reason, long units) {}
}
