package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.UnitOutlook;
import dev.holdfast.fleet.internal.reports.PlanRevision;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The planner's memory of earlier placements.
 *
 * <p>Units that failed on a worker are kept away from that worker for a while. The back-off grows with every failure in
 * a row. The record of a unit is dropped when it has not failed again for the longest back-off.
 *
 * <p>Units that are being moved between live workers count as moves until they have arrived: the receiving worker
 * follows the plan, and reports that it waits for no units.
 */
final class PlacementHistory {
    private final FleetOptions options;
    private final Map<String, FailedUnit> failed = new HashMap<>();
    private final Map<String, UnitMoves> moving = new HashMap<>();

    PlacementHistory(FleetOptions options) {
        this.options = options;
    }

    private static final class FailedUnit {
        private final Map<String, Long> untilNanos = new HashMap<>();
        private String lastWorker = "";
        private int failures;
        private long dropNanos;
    }

    private record UnitMoves(int units, PlanRevision since) {
        boolean areSettled(FleetObserver.@Nullable WatchedWorker worker) {
            return worker == null
                    || (worker.report().applied().compareTo(since) >= 0
                            && worker.report().waiting() == 0);
        }
    }

    void recordFailure(String unit, String worker, long nowNanos) {
        FailedUnit failing = failed.computeIfAbsent(unit, it -> new FailedUnit());
        failing.failures++;
        failing.lastWorker = worker;
        long backoff = options.backoff(failing.failures).toNanos();
        failing.untilNanos.put(worker, nowNanos + backoff);
        failing.dropNanos = nowNanos + backoff + options.backoffMax().toNanos();
    }

    boolean hasFailures() {
        return !failed.isEmpty();
    }

    boolean mayHave(String worker, String unit, long nowNanos) {
        FailedUnit failing = failed.isEmpty() ? null : failed.get(unit);
        Long until = failing == null ? null : failing.untilNanos.get(worker);
        return until == null || nowNanos - until >= 0;
    }

    /** Returns the back-off of a unit on the worker that it failed on last; null if there is none or it is over. */
    UnitOutlook.@Nullable FailureRest rest(String unit, long nowNanos, Instant now) {
        FailedUnit failing = failed.get(unit);
        Long until = failing == null ? null : failing.untilNanos.get(failing.lastWorker);
        return failing == null || until == null || nowNanos - until >= 0
                ? null
                : new UnitOutlook.FailureRest(failing.lastWorker, failing.failures, now.plusNanos(until - nowNanos));
    }

    boolean hasFailed(String unit) {
        return failed.containsKey(unit);
    }

    Set<String> failedUnits() {
        return failed.keySet();
    }

    void startMoves(String worker, int units, PlanRevision revision) {
        moving.merge(worker, new UnitMoves(units, revision), (a, b) -> new UnitMoves(a.units + b.units, b.since));
    }

    int moves() {
        return moving.values().stream().mapToInt(UnitMoves::units).sum();
    }

    /** Drops failures that are long past, and moves that have arrived or whose worker is gone. */
    void dropSettled(FleetObserver fleetObserver, long nowNanos) {
        failed.values().removeIf(failing -> nowNanos - failing.dropNanos >= 0);
        moving.entrySet().removeIf(entry -> entry.getValue().areSettled(fleetObserver.member(entry.getKey())));
    }
}
