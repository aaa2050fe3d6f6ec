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

    private final List<WorkerView> workers;
    private final List<UnitInfo> units;
    private final int[] owners;
    private final FailedPlacements failedPlacements;
    private final long nowNanos;

    SituationTable(
            Collection<WorkerView> members,
            List<UnitInfo> units,
            Collection<AssignmentSheet> sheets,
            FailedPlacements failedPlacements,
            long nowNanos) {
        this.workers = List.copyOf(members);
        this.units = units;
        this.failedPlacements = failedPlacements;
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
        sheets.stream().sorted(Comparator.comparing(AssignmentSheet::revision)).forEach(assignmentSheet -> {
            Integer worker = numbers.get(assignmentSheet.worker());
            for (String name : assignmentSheet.units()) {
                Integer unit = unitNumbers.get(name);
                if (unit != null && worker != null) {
                    owners[unit] = worker;
                }
            }
        });
    }

    WorkerView worker(int worker) {
        return workers.get(worker);
    }

    String unit(int unit) {
        return units.get(unit).name();
    }

    boolean isLeaving(int worker) {
        return workers.get(worker).report().leaving();
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
        WorkerReport workerReport = workers.get(worker).report();
        return workerReport.leaving() ? 0 : Math.min(workerReport.capacity(), CAPACITY_MAX);
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
        return failedPlacements.isEmpty()
                || failedPlacements.mayHave(
                        workers.get(worker).name(), units.get(unit).name(), nowNanos);
    }
}
