package dev.holdfast.fleet.internal.balance;

import static dev.holdfast.fleet.AssignmentStrategy.UNASSIGNED;

import dev.holdfast.fleet.FleetSituation;
import dev.holdfast.fleet.internal.balance.UnitKinds.UnitKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plan under construction for a fleet with labels. It knows the units of each worker by kind, the workers of each zone
 * by load, and the number of units of each group in each zone. A zone is a set of workers with the same value of the
 * label to spread over. Without such a label there is one zone.
 */
final class LabelledPlan {
    final FleetSituation situation;
    final UnitKinds kinds;
    final int[] plan;
    private final int[] loads;
    private final int[] zoneOf;
    private final List<Map<Integer, List<Integer>>> unitsOf;
    private final List<NavigableSet<Integer>> byLoad;
    private final Map<Long, Integer> groupCounts = new HashMap<>();

    /**
     * Starts with every unit on its current worker, if it may stay there.
     *
     * @param zoneOf the zone of each worker, numbered from 0
     */
    LabelledPlan(FleetSituation situation, UnitKinds kinds, int[] start, int[] zoneOf) {
        this.situation = situation;
        this.kinds = kinds;
        this.plan = start.clone();
        this.loads = new int[situation.workers()];
        this.zoneOf = zoneOf;
        this.unitsOf = Stream.<Map<Integer, List<Integer>>>generate(TreeMap::new)
                .limit(loads.length)
                .toList();
        for (int unit = 0; unit < plan.length; unit++) {
            if (plan[unit] != UNASSIGNED) {
                count(unit, plan[unit], 1);
            }
        }
        int zones = IntStream.of(zoneOf).max().orElse(0) + 1;
        Comparator<Integer> order =
                Comparator.<Integer>comparingInt(worker -> loads[worker]).thenComparing(worker -> worker);
        this.byLoad = Stream.<NavigableSet<Integer>>generate(() -> new TreeSet<>(order))
                .limit(zones)
                .toList();
        for (int worker = 0; worker < loads.length; worker++) {
            if (situation.capacity(worker) > 0) {
                byLoad.get(zoneOf[worker]).add(worker);
            }
        }
    }

    private void count(int unit, int worker, int sign) {
        UnitKind kind = kinds.of(unit);
        loads[worker] += sign;
        groupCounts.merge(key(kind.group(), zoneOf[worker]), sign, Integer::sum);
        if (sign > 0) {
            unitsOf.get(worker)
                    .computeIfAbsent(kind.number(), it -> new ArrayList<>())
                    .add(unit);
        } else {
            unitsOf.get(worker).computeIfPresent(kind.number(), (it, units) -> {
                // Mostly the last one: see unitFor.
                units.remove(units.lastIndexOf(unit));
                return units.isEmpty() ? null : units;
            });
        }
    }

    private static long key(int group, int zone) {
        return ((long) group << 32) | zone;
    }

    int zones() {
        return byLoad.size();
    }

    int zone(int worker) {
        return zoneOf[worker];
    }

    int load(int worker) {
        return loads[worker];
    }

    boolean hasRoom(int worker) {
        return loads[worker] < situation.capacity(worker);
    }

    /** Returns the number of units of a group in a zone. */
    int count(int group, int zone) {
        return groupCounts.getOrDefault(key(group, zone), 0);
    }

    /** Returns the groups whose spread may be uneven. */
    List<Integer> groupsWithSeveralUnitsInAZone() {
        return groupCounts.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(entry -> (int) (entry.getKey() >> 32))
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the workers of a zone that take units, those with the fewest units first. Changes with the plan. */
    NavigableSet<Integer> byLoad(int zone) {
        return byLoad.get(zone);
    }

    /** Returns the kinds of the units of a worker, at this moment. */
    Collection<UnitKind> kindsOf(int worker) {
        return unitsOf.get(worker).keySet().stream().map(kinds::kind).toList();
    }

    boolean has(int worker, UnitKind kind) {
        return unitsOf.get(worker).containsKey(kind.number());
    }

    /** Returns a unit of this kind on {@code from} that {@code to} may have; null if there is none. */
    @Nullable
    Integer unitFor(int from, UnitKind kind, int to) {
        List<Integer> units = unitsOf.get(from).getOrDefault(kind.number(), List.of());
        for (int i = units.size() - 1; i >= 0; i--) {
            if (situation.mayHave(to, units.get(i))) {
                return units.get(i);
            }
        }
        return null;
    }

    /** Returns whether a unit can move between zones, or stay in one, without making the spread of its group worse. */
    boolean isNeutral(UnitKind kind, int from, int to) {
        return zoneOf[from] == zoneOf[to] || count(kind.group(), zoneOf[from]) > count(kind.group(), zoneOf[to]);
    }

    /** Returns the suitable worker of a zone with room that has the fewest units; null if there is none. */
    @Nullable
    Integer leastLoaded(int zone, UnitKind kind) {
        for (Integer worker : byLoad.get(zone)) {
            if (kind.isSuitable(worker) && hasRoom(worker)) {
                return worker;
            }
        }
        return null;
    }

    void place(int unit, int worker) {
        byLoad.get(zoneOf[worker]).remove(worker);
        plan[unit] = worker;
        count(unit, worker, 1);
        byLoad.get(zoneOf[worker]).add(worker);
    }

    void move(int unit, int to) {
        int from = plan[unit];
        NavigableSet<Integer> ordered = byLoad.get(zoneOf[from]);
        boolean isOrdered = ordered.remove(from);
        count(unit, from, -1);
        if (isOrdered) {
            ordered.add(from);
        }
        place(unit, to);
    }

    void swap(int unit, int other) {
        int from = plan[unit];
        move(unit, plan[other]);
        move(other, from);
    }
}
