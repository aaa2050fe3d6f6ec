package dev.holdfast.sim.fleet;

import dev.holdfast.Attributes;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Invariant 8 of a fleet with labels. No worker starts a unit that requires labels it lacks, and no worker has more units
 * than its capacity for longer than a hand-over. At rest, no unit is idle that a worker with room may have. No move of one
 * unit makes the spread of its group more even, or the loads of two workers without making a spread worse.
 */
final class LabelledUnits extends InvariantChecker {
    /** Failed units rest, at most for a second, and are then started again. */
    private static final long IDLE_NANOS = 5_000_000_000L;

    private final SimStore store;
    private final String namespace;
    private final boolean spreads;
    private final Map<SimProcess, LabelledWorker> workers = new HashMap<>();
    private final Map<String, UnitWork> works = new TreeMap<>();
    private final Map<String, Long> idleSince = new HashMap<>();

    /** A worker, with the labels and the capacity with which it joined last. */
    private record LabelledWorker(Map<String, String> labels, int capacity) {
        String zone() {
            return labels.getOrDefault("zone", "");
        }
    }

    /** A unit at rest. */
    private record RestingUnit(String name, LabelConditions required, String group) {}

    LabelledUnits(SimStore store, String namespace, boolean spreads) {
        this.store = store;
        this.namespace = namespace;
        this.spreads = spreads;
    }

    void started(SimProcess process, Map<String, String> labels, int capacity) {
        workers.put(process, new LabelledWorker(labels, capacity));
    }

    private LabelledWorker worker(SimProcess process) {
        return workers.getOrDefault(process, new LabelledWorker(Map.of(), 0));
    }

    @Override
    public void worked(UnitWork work) {
        UnitWork before = works.get(work.name());
        if (before == null || work.unit().fence().isAbove(before.unit().fence())) {
            works.put(work.name(), work);
        }
        LabelConditions required = StoredConditions.required(work.unit().attributes());
        if (!required.areMetBy(worker(work.process()).labels)) {
            violated(
                    "8, required labels",
                    work + " requires " + required + ", the worker has " + worker(work.process()).labels);
        }
    }

    @Override
    public void tick() {
        works.forEach((name, work) -> {
            if (work.isAtWork()) {
                idleSince.remove(name);
            } else {
                idleSince.putIfAbsent(name, nowNanos());
            }
        });
    }

    @Override
    public void end() {
        List<RestingUnit> units = new ArrayList<>();
        store.all(namespace).stream()
                .filter(entry -> entry.attributes().get("~unit").isPresent())
                .forEach(entry -> {
                    Attributes attributes = entry.attributes();
                    units.add(new RestingUnit(
                            entry.key().name(),
                            StoredConditions.required(attributes),
                            attributes.text("group").orElse("")));
                });
        Map<SimProcess, Integer> loads = loads();
        loads.forEach((process, load) -> {
            if (load > worker(process).capacity) {
                violated("8, capacity", process.name() + " has " + load + " units of " + worker(process).capacity);
            }
        });
        units.forEach(unit -> checkPlace(unit, units, loads));
    }

    private Map<SimProcess, Integer> loads() {
        Map<SimProcess, Integer> loads = new HashMap<>();
        workers.keySet().forEach(process -> loads.put(process, 0));
        works.values().stream()
                .filter(UnitWork::isAtWork)
                .forEach(work -> loads.merge(work.process(), 1, Integer::sum));
        return loads;
    }

    private void checkPlace(RestingUnit unit, List<RestingUnit> units, Map<SimProcess, Integer> loads) {
        UnitWork work = works.get(unit.name);
        boolean isIdle = work == null || !work.isAtWork();
        long since = idleSince.getOrDefault(unit.name, work == null ? 0L : nowNanos());
        for (SimProcess process : workers.keySet()) {
            boolean may = unit.required.areMetBy(worker(process).labels)
                    && loads.getOrDefault(process, 0) < worker(process).capacity;
            if (may && isIdle && nowNanos() - since > IDLE_NANOS) {
                violated("8, units have workers", unit + " is idle, and " + process.name() + " could have it");
            } else if (may && !isIdle && work != null && work.process() != process) {
                checkMove(unit, units, loads, work.process(), process);
            }
        }
    }

    private void checkMove(
            RestingUnit unit, List<RestingUnit> units, Map<SimProcess, Integer> loads, SimProcess from, SimProcess to) {
        int gap = inZone(unit.group, units, worker(from).zone())
                - inZone(unit.group, units, worker(to).zone());
        boolean sameZone = worker(from).zone().equals(worker(to).zone());
        int loadGap = loads.getOrDefault(from, 0) - loads.getOrDefault(to, 0);
        if (spreads && !sameZone && gap >= 2) {
            violated("8, units are spread", unit + " is at " + from.name() + ", and better at " + to.name());
        } else if (loadGap >= 2 && (!spreads || sameZone || gap >= 1)) {
            violated("8, units are balanced", unit + " is at " + from.name() + ", and better at " + to.name());
        }
    }

    private int inZone(String group, List<RestingUnit> units, String zone) {
        return (int) units.stream()
                .filter(unit -> unit.group.equals(group))
                .map(unit -> works.get(unit.name))
                .filter(work -> work != null
                        && work.isAtWork()
                        && worker(work.process()).zone().equals(zone))
                .count();
    }
}
