package dev.holdfast.sim.fleet;

import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
import dev.holdfast.sim.world.SimProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Invariants 6 and 7 of a fleet, once faults have healed. By the stated time every unit has a worker; from then on no
 * more units are moved than balance needs. At rest no two workers differ by more than one unit.
 */
final class FleetAtRest extends InvariantChecker {
    private final List<SimProcess> workers;
    private final Supplier<Set<String>> open;
    private final boolean planned;
    private final StoredOrders orders;
    private final Map<String, UnitWork> now = new HashMap<>();
    private int moves = -1;
    private int needed;

    /**
     * @param open the units that should have a worker
     * @param planned whether the fleet has a planner: workers without one may take more units than they need
     */
    FleetAtRest(List<SimProcess> workers, Supplier<Set<String>> open, boolean planned, StoredOrders orders) {
        this.workers = workers;
        this.orders = orders;
        this.open = open;
        this.planned = planned;
    }

    @Override
    public void worked(UnitWork work) {
        UnitWork before = now.get(work.name());
        if (before != null && before.unit().fence().isAbove(work.unit().fence())) {
            return; // The unit was stolen before its worker received the grant; the worker stops at its next renewal.
        }
        now.put(work.name(), work);
        boolean moved = before != null
                && before.process() != work.process()
                && before.process().isUp();
        if (planned && moves >= 0 && moved && ++moves > needed) {
            violated("7, no more moves than needed", work + " was moved, which makes " + moves + " of " + needed);
        }
    }

    /**
     * Checks, after the stated time, that every open unit has a worker, unless all workers are drained. From now on moves
     * are counted.
     */
    void requireProgress() {
        Set<String> drained = orders.drained();
        // A drain goes on, a few units at a time, until the end of the run.
        requireWorkers(unit -> {
            UnitWork last = now.get(unit);
            return last != null && drained.contains(last.process().name());
        });
        needed = surplus();
        moves = orders.isEmpty() ? 0 : -1; // An order may be given, and followed, as late as this.
    }

    private void requireWorkers(Predicate<String> isExcepted) {
        Set<String> idle = new HashSet<>(open.get());
        idle.removeIf(isExcepted);
        atWork().forEach(work -> idle.remove(work.name()));
        if (!idle.isEmpty() && !loads().isEmpty()) {
            violated("6, every unit is worked on", "units without a worker: " + idle);
        }
    }

    private Stream<UnitWork> atWork() {
        return now.values().stream().filter(UnitWork::isAtWork);
    }

    /** The number of units that workers have beyond their share in the nearest balanced plan. */
    private int surplus() {
        List<Integer> loads = loads().values().stream().sorted((a, b) -> b - a).toList();
        int units = loads.stream().mapToInt(Integer::intValue).sum();
        if (loads.isEmpty()) {
            return 0;
        }
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
        Set<String> drained = orders.drained();
        workers.stream()
                .map(SimProcess::name)
                .filter(worker -> !drained.contains(worker))
                .forEach(worker -> loads.put(worker, 0));
        atWork().map(work -> work.process().name())
                .filter(worker -> !drained.contains(worker))
                .forEach(worker -> loads.merge(worker, 1, Integer::sum));
        return loads;
    }

    @Override
    public void end() {
        Map<String, Integer> loads = loads();
        int most = loads.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int least = loads.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        if (most - least > 1 && !orders.isFrozen() && orders.moves().isEmpty()) {
            violated("7, a fleet at rest is balanced", "the loads are " + loads);
        }
        requireWorkers(unit -> false);
    }
}
