package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetSituation;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The situation of a fleet as numbers, for a strategy. */
final class SituationTable implements FleetSituation {
    /** Limited by the number of further parts that the first part of a sheet can list, with names of usual length. */
    private static final int CAPACITY_MAX = 200_000;

    private final List<FleetObserver.WatchedWorker> workers;
    private final List<UnitCatalog.CatalogUnit> units;
    private final int[] owners;
    private final PlacementHistory history;
    private final long nowNanos;

    SituationTable(
            Collection<FleetObserver.WatchedWorker> members,
            List<UnitCatalog.CatalogUnit> units,
            Collection<AssignmentSheet> sheets,
            PlacementHistory history,
            long nowNanos) {
        this.workers = List.copyOf(members);
        this.units = units;
        this.history = history;
        this.nowNanos = nowNanos;
        this.owners = new int[units.size()];
        Arrays.fill(owners, AssignmentStrategy.UNASSIGNED);
        readOwners(sheets);
    }

    private void readOwners(Collection<AssignmentSheet> sheets) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int worker = 0; worker < workers.size(); worker++) {
            numbers.put(workers.get(worker).name(), worker);
        }
        Map<String, Integer> unitNumbers = new HashMap<>(units.size() * 2);
        for (int unit = 0; unit < units.size(); unit++) {
            unitNumbers.put(units.get(unit).name(), unit);
        }
        // A planner that died half-way may have assigned a unit to one worker without removing it from another. The
        // later revision wins.
        sheets.stream().sorted(Comparator.comparing(AssignmentSheet::revision)).forEach(sheet -> {
            Integer worker = numbers.get(sheet.worker());
            for (String name : sheet.units()) {
                Integer unit = unitNumbers.get(name);
                if (unit != null && worker != null) {
                    owners[unit] = worker;
                }
            }
        });
    }

    String worker(int worker) {
        return workers.get(worker).name();
    }

    String unit(int unit) {
        return units.get(unit).name();
    }

    /** Returns whether the owner of a unit could keep it. */
    boolean canStay(int owner, int unit) {
        return !workers.get(owner).report().leaving() && mayHave(owner, unit);
    }

    @Override
    public int workers() {
        return workers.size();
    }

    @Override
    public int units() {
        return units.size();
    }

    @Override
    public int capacity(int worker) {
        WorkerReport report = workers.get(worker).report();
        return report.leaving() ? 0 : Math.min(report.capacity(), CAPACITY_MAX);
    }

    @Override
    public double weight(int unit) {
        return units.get(unit).weight();
    }

    @Override
    public int owner(int unit) {
        return owners[unit];
    }

    @Override
    public boolean mayHave(int worker, int unit) {
        return history.mayHave(workers.get(worker).name(), units.get(unit).name(), nowNanos);
    }
}
