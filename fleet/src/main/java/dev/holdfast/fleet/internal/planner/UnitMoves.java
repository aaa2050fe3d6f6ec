package dev.holdfast.fleet.internal.planner;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The units being moved between live workers. They have arrived when the receiving worker reports that it waits for no
 * units.
 */
final class UnitMoves {
    private final Map<String, Arrivals> pending = new HashMap<>();

    private record Arrivals(int units, PlanRevision since) {}

    void start(String worker, int units, PlanRevision planRevision) {
        pending.merge(worker, new Arrivals(units, planRevision), (a, b) -> new Arrivals(a.units + b.units, b.since));
    }

    /** Drops the moves that have arrived, or whose worker is gone. */
    void settle(FleetWatch fleetWatch) {
        pending.entrySet().removeIf(entry -> hasSettled(fleetWatch.member(entry.getKey()), entry.getValue()));
    }

    private static boolean hasSettled(@Nullable WorkerView workerView, Arrivals arrivals) {
        return workerView == null
                || (workerView.report().applied().compareTo(arrivals.since) >= 0
                        && workerView.report().waiting() == 0);
    }

    int count() {
        return pending.values().stream().mapToInt(Arrivals::units).sum();
    }
}
