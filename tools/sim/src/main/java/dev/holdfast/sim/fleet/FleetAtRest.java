package dev.holdfast.sim.fleet;

import dev.holdfast.sim.check.CheckerSet;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.world.SimProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Invariants 6 and 7 of a fleet, once faults have healed. By the stated time every unit has a worker; from then on no
 * more units are moved than balance needs. At rest no two workers differ by more than one unit.
 */
public final class FleetAtRest implements InvariantChecker {
    private final CheckerSet checkerSet;
    private final List<SimProcess> workers;
    private final Supplier<Set<String>> open;
    private final boolean planned;
    private final Map<String, UnitWork> now = new HashMap<>();
    private int moves = -1;
    private int needed;

    /**
     * @param open the units that should have a worker
     * @param planned whether the fleet has a planner: workers without one may take more units than they need
     */
    public FleetAtRest(CheckerSet checkerSet, List<SimProcess> workers, Supplier<Set<String>> open, boolean planned) {
        this.checkerSet = checkerSet;
        this.workers = workers;
        this.open = open;
        this.planned = planned;
    }

    @Override
    public void worked(UnitWork unitWork) {
        UnitWork before = now.get(unitWork.name());
        if (before != null && before.unit().fence().isAbove(unitWork.unit().fence())) {
            return; // The unit was stolen before its worker received the grant; the worker stops at its next renewal.
        }
        now.put(unitWork.name(), unitWork);
        boolean moved = before != null
                && before.process() != unitWork.process()
                && before.process().isUp();
        if (planned && moves >= 0 && moved && ++moves > needed) {
            checkerSet.violated(
                    "7, no more moves than needed", unitWork + " was moved, which makes " + moves + " of " + needed);
        }
    }

    /** Checks, after the stated time, that every open unit has a worker. From now on moves are counted. */
    public void requireProgress() {
        Set<String> idle = new HashSet<>(open.get());
        now.values().stream()
                .filter(unitWork -> unitWork.isGoingOn() && unitWork.isBelieved())
                .forEach(unitWork -> idle.remove(unitWork.name()));
        if (!idle.isEmpty()) {
            checkerSet.violated("6, every unit is worked on", "units without a worker: " + idle);
        }
        needed = surplus();
        moves = 0;
    }

    /** The number of units that workers have beyond their share in the nearest balanced plan. */
    private int surplus() {
        List<Integer> loads = loads().values().stream().sorted((a, b) -> b - a).toList();
        int units = loads.stream().mapToInt(Integer::intValue).sum();
        int share = units / loads.size();
        int larger = units % loads.size();
        int surplus = 0;
        for (int i = 0; i < loads.size(); i++) {
            surplus += Math.max(0, loads.get(i) - share - (i < larger ? 1 : 0));
        }
        return surplus;
    }

    private Map<String, Integer> loads() {
        Map<String, Integer> loads = new TreeMap<>();
        workers.forEach(worker -> loads.put(worker.name(), 0));
        now.values().stream()
                .filter(unitWork -> unitWork.isGoingOn() && unitWork.isBelieved())
                .forEach(unitWork -> loads.merge(unitWork.process().name(), 1, Integer::sum));
        return loads;
    }

    @Override
    public void end() {
        Map<String, Integer> loads = loads();
        int most = loads.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int least = loads.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        if (most - least > 1) {
            checkerSet.violated("7, a fleet at rest is balanced", "the loads are " + loads);
        }
        requireProgress();
    }
}
