package dev.holdfast.fleet;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A fleet as the store shows it.
 *
 * @param planner which worker plans; empty if none does, or the fleet has no planner
 * @param planAge how long ago it last planned, by the clocks of two machines: for people
 * @param workers those that are alive, by name
 * @param moves units that were given to a worker which has not begun with them
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
     * One worker.
     *
     * @param units that it holds
     * @param waiting units that it was given and has not begun with
     * @param leaving whether it is being closed
     */
    public record WorkerStatus(String worker, long units, long waiting, boolean leaving) {}

    /**
     * How many units there are.
     *
     * @param total all of them, done ones included
     * @param held by a worker
     * @param unplaced that no worker may or can take now
     */
    public record UnitTotals(long total, long held, long done, long unplaced) {}
}
