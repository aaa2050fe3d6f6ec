package dev.holdfast.fleet.internal.balance;

import static dev.holdfast.fleet.AssignmentStrategy.UNASSIGNED;

import dev.holdfast.fleet.internal.balance.UnitKinds.UnitKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The step that places unassigned units. The kinds with the fewest suitable workers come first. Each unit goes to the
 * zone with the fewest units of its group, and there to the worker with the fewest units.
 *
 * <p>A unit whose suitable workers are all full is placed if a chain of moves makes room. So no unit stays unplaced that
 * could be placed.
 */
final class PlacementStep {
    private final LabelledPlan plan;

    PlacementStep(LabelledPlan plan) {
        this.plan = plan;
    }

    void run() {
        Map<Integer, List<Integer>> byKind = new TreeMap<>();
        IntStream.range(0, plan.plan.length)
                .filter(unit -> plan.plan[unit] == UNASSIGNED)
                .forEach(unit -> byKind.computeIfAbsent(plan.kinds.of(unit).number(), it -> new ArrayList<>())
                        .add(unit));
        List<Integer> stuck = new ArrayList<>();
        byKind.keySet().stream()
                .map(plan.kinds::kind)
                .sorted(Comparator.comparingInt(kind -> kind.suitable().cardinality()))
                .forEach(kind -> new KindPlacement(kind).place(byKind.getOrDefault(kind.number(), List.of()), stuck));
        makeRoom(stuck);
    }

    /** The placement of units of one kind: per zone, the suitable workers with room, by load. */
    private final class KindPlacement {
        private final UnitKind kind;
        private final Map<Integer, PriorityQueue<Integer>> open = new TreeMap<>();

        KindPlacement(UnitKind kind) {
            this.kind = kind;
            Comparator<Integer> order = Comparator.<Integer>comparingInt(plan::load)
                    .thenComparing(worker -> -kind.preference(worker))
                    .thenComparing(worker -> worker);
            kind.suitable().stream()
                    .filter(plan::hasRoom)
                    .forEach(worker -> open.computeIfAbsent(plan.zone(worker), it -> new PriorityQueue<>(order))
                            .add(worker));
        }

        void place(List<Integer> units, List<Integer> stuck) {
            for (int unit : units) {
                Integer worker = choose(unit);
                if (worker == null) {
                    stuck.add(unit);
                    continue;
                }
                PriorityQueue<Integer> zone = open.getOrDefault(plan.zone(worker), new PriorityQueue<>());
                zone.remove(worker);
                plan.place(unit, worker);
                if (plan.hasRoom(worker)) {
                    zone.add(worker);
                }
            }
        }

        private @Nullable Integer choose(int unit) {
            Integer best = null;
            for (Map.Entry<Integer, PriorityQueue<Integer>> zone : open.entrySet()) {
                Integer worker = first(zone.getValue(), unit);
                if (worker != null && (best == null || isBetter(worker, best))) {
                    best = worker;
                }
            }
            return best;
        }

        private @Nullable Integer first(PriorityQueue<Integer> zone, int unit) {
            Integer head = zone.peek();
            if (head == null || plan.situation.mayHave(head, unit)) {
                return head;
            }
            // It failed there lately, which is rare.
            return zone.stream()
                    .filter(worker -> plan.situation.mayHave(worker, unit))
                    .min(zone.comparator())
                    .orElse(null);
        }

        private boolean isBetter(int worker, int best) {
            int spread = plan.count(kind.group(), plan.zone(worker)) - plan.count(kind.group(), plan.zone(best));
            int load = plan.load(worker) - plan.load(best);
            int preference = kind.preference(best) - kind.preference(worker);
            return spread < 0 || (spread == 0 && (load < 0 || (load == 0 && preference < 0)));
        }
    }

    private void makeRoom(List<Integer> stuck) {
        RoomChains chains = new RoomChains(plan);
        BitSet all = new BitSet();
        all.set(0, plan.situation.workers());
        List<BitSet> hopeless = new ArrayList<>();
        for (int unit : stuck) {
            UnitKind kind = plan.kinds.of(unit);
            if (hopeless.contains(kind.suitable())) {
                continue; // Chains only move units, so a worker that had no way to room has none later.
            }
            BitSet roots = new BitSet();
            kind.suitable().stream()
                    .filter(worker -> plan.situation.mayHave(worker, unit))
                    .forEach(roots::set);
            Integer end = chains.search(roots, all, plan::hasRoom);
            if (end == null && roots.equals(kind.suitable())) {
                hopeless.add(kind.suitable());
            } else if (end != null) {
                int root = chains.rootOf(end);
                if (chains.shift(end)) {
                    plan.place(unit, root);
                }
            }
        }
    }
}
