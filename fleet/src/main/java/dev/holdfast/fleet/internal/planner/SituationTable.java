package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.FleetSituation;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The situation of a fleet as numbers, for a strategy. */
final class SituationTable implements FleetSituation {
    /** Limited by the number of further parts that the first part of a sheet can list, with names of usual length. */
    private static final int CAPACITY_MAX = 200_000;

    private final List<FleetObserver.WatchedWorker> workers;
    private final List<UnitCatalog.CatalogUnit> units;
    private final int[] owners;
    private final int[] capacities;
    private final PlacementHistory history;
    private final ControlState orders;
    private final long nowNanos;
    /** The workers that meet the conditions. Conditions are shared among units, so this is compared by identity. */
    private final IdentityHashMap<LabelConditions, BitSet> suitable = new IdentityHashMap<>();

    private boolean usesLoads;

    SituationTable(
            Collection<FleetObserver.WatchedWorker> members,
            List<UnitCatalog.CatalogUnit> units,
            Collection<AssignmentSheet> sheets,
            PlacementHistory history,
            ControlState orders,
            long nowNanos) {
        this.workers = List.copyOf(members);
        this.units = units;
        this.history = history;
        this.orders = orders;
        this.nowNanos = nowNanos;
        this.owners = new int[units.size()];
        Arrays.fill(owners, AssignmentStrategy.UNASSIGNED);
        readOwners(sheets);
        this.capacities =
                IntStream.range(0, workers.size()).map(this::findCapacity).toArray();
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

    /** Returns whether the owner of a unit could keep it. A drained worker could, until another takes the unit. */
    boolean canStay(int owner, int unit) {
        return !isLeaving(owner) && mayHave(owner, unit);
    }

    boolean isLeaving(int worker) {
        return workers.get(worker).report().leaving();
    }

    /** Returns whether the unit failed on any worker of late. */
    boolean hasFailed(int unit) {
        return history.hasFailed(units.get(unit).name());
    }

    boolean isDrained(int worker) {
        return orders.drained().containsKey(workers.get(worker).name());
    }

    boolean isFrozen() {
        return orders.freeze().isPresent();
    }

    /** Returns the worker that an operator moved the unit to; {@link AssignmentStrategy#UNASSIGNED} if none. */
    int orderedWorker(int unit) {
        ControlState.UnitMove move = orders.moves().isEmpty()
                ? null
                : orders.moves().get(units.get(unit).name());
        for (int worker = 0; move != null && worker < workers.size(); worker++) {
            if (workers.get(worker).name().equals(move.worker())) {
                return worker;
            }
        }
        return AssignmentStrategy.UNASSIGNED;
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
        return capacities[worker];
    }

    private int findCapacity(int worker) {
        WorkerReport report = workers.get(worker).report();
        if (report.leaving()) {
            return 0;
        }
        int most = Math.min(report.profile().capacity(), CAPACITY_MAX);
        return isDrained(worker) ? Math.min(most, drainedCapacity(worker)) : most;
    }

    /** Returns the capacity of a drained worker: it may keep its units while the fleet is frozen. */
    private int drainedCapacity(int worker) {
        return isFrozen()
                ? (int) Arrays.stream(owners).filter(owner -> owner == worker).count()
                : 0;
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
        return hasRequiredLabels(worker, unit)
                && history.mayHave(workers.get(worker).name(), units.get(unit).name(), nowNanos);
    }

    /** Returns whether a worker has the labels that a unit requires. Strategies ask this for many pairs. */
    boolean hasRequiredLabels(int worker, int unit) {
        LabelConditions required = requires(unit);
        return required.isEmpty()
                || suitable.computeIfAbsent(required, this::suitableWorkers).get(worker);
    }

    private BitSet suitableWorkers(LabelConditions required) {
        BitSet found = new BitSet();
        for (int worker = 0; worker < workers.size(); worker++) {
            found.set(worker, required.areMetBy(labels(worker)));
        }
        return found;
    }

    @Override
    public Map<String, String> labels(int worker) {
        return workers.get(worker).report().profile().labels();
    }

    @Override
    public OptionalDouble load(int worker) {
        usesLoads = true;
        return workers.get(worker).report().profile().load();
    }

    /** Returns whether the strategy has looked at loads. */
    boolean usesLoads() {
        return usesLoads;
    }

    @Override
    public LabelConditions requires(int unit) {
        return units.get(unit).placement().requires();
    }

    @Override
    public LabelConditions prefers(int unit) {
        return units.get(unit).placement().prefers();
    }

    @Override
    public String group(int unit) {
        return units.get(unit).placement().group();
    }
}
