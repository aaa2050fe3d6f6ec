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
     * @param capacity the maximum number of units that it takes; {@link Integer#MAX_VALUE} if unlimited
     * @param load the load that it reported last; empty if it reports none
     */
    public record WorkerStatus(
            String worker,
            long units,
            long waiting,
            boolean leaving,
            boolean followsOrders,
            int capacity,
            Map<String, String> labels,
            OptionalDouble load) {
        public WorkerStatus {
            labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        }

        /** A worker without a limit, labels and load. */
        public WorkerStatus(String worker, long units, long waiting, boolean leaving, boolean followsOrders) {
            this(worker, units, waiting, leaving, followsOrders, Integer.MAX_VALUE, Map.of(), OptionalDouble.empty());
        }
    }

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
     * @param missing the labels that they require and that no worker has; empty for other reasons, and if there are too
     *     many different ones
     */
    public record UnplacedUnits(UnplacedReason reason, long count, List<String> names, LabelConditions missing) {
        public UnplacedUnits {
            names = List.copyOf(names);
        }

        /** Units that miss no labels. */
        public UnplacedUnits(UnplacedReason reason, long count, List<String> names) {
            this(reason, count, names, LabelConditions.NONE);
        }

        /** Returns the reason in words, with the labels. */
        public String text() {
            return missing.isEmpty() ? reason.text() : "no worker has the required " + missing;
        }
    }
}
