package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetSituation;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A strategy that balances the total weight per worker. It assigns unassigned units first, heaviest first, each to the
 * worker with the least load. Then it moves units from the heaviest worker to the lightest, one at a time, while a move
 * makes the two more equal.
 *
 * <p>Every such move reduces the sum of the squared loads, so the loop ends. It ends when even the lightest unit of the
 * heaviest worker would only reverse the difference.
 */
public final class AssignByWeight implements AssignmentStrategy {
    /** More than any plan needs. */
    private static final int ROUNDS_MAX = 20;

    /** Limits the work on fleets of thousands of workers with labels. The next plan continues. */
    private static final long PAIRS_MAX = 3_000_000;

    @Override
    public int[] assign(FleetSituation fleetSituation) {
        AssignmentDraft draft = new AssignmentDraft(fleetSituation);
        Scales scales = new Scales(draft);
        Integer[] orphans = Arrays.stream(draft.unplaced()).boxed().toArray(Integer[]::new);
        Arrays.sort(orphans, Comparator.comparingDouble(unit -> -fleetSituation.weight(unit)));
        for (int unit : orphans) {
            scales.placeWithLightest(unit);
        }
        boolean hasConditions = UnitKinds.haveConditions(fleetSituation);
        scales.balance(hasConditions);
        return hasConditions ? withConditions(fleetSituation, draft.plan) : draft.plan;
    }

    /** Places units for which only a chain of moves makes room, and honours preferences. Both may allow more balance. */
    private static int[] withConditions(FleetSituation fleetSituation, int[] start) {
        int[] plan = start;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            LabelledPlan labelled = new LabelledPlan(
                    fleetSituation, UnitKinds.byWeight(fleetSituation), plan, new int[fleetSituation.workers()]);
            new PlacementStep(labelled).run();
            new PreferenceStep(labelled, false).run();
            AssignmentDraft draft = new AssignmentDraft(fleetSituation, unit -> labelled.plan[unit]);
            new Scales(draft).balance(true);
            if (Arrays.equals(plan, draft.plan)) {
                break;
            }
            plan = draft.plan;
        }
        return plan;
    }

    /** The workers, ordered by load. */
    private static final class Scales {
        private final AssignmentDraft draft;
        private final double[] loads;
        private final List<TreeMap<Double, Deque<Integer>>> carried;
        private final TreeSet<Integer> byLoad;
        private long pairsTried;

        Scales(AssignmentDraft draft) {
            this.draft = draft;
            this.loads = new double[draft.counts.length];
            this.carried = IntStream.range(0, loads.length)
                    .mapToObj(worker -> new TreeMap<Double, Deque<Integer>>())
                    .toList();
            for (int unit = 0; unit < draft.plan.length; unit++) {
                if (draft.plan[unit] != UNASSIGNED) {
                    load(unit, draft.plan[unit], 1);
                }
            }
            this.byLoad = new TreeSet<>(
                    Comparator.<Integer>comparingDouble(worker -> loads[worker]).thenComparing(worker -> worker));
            IntStream.range(0, loads.length)
                    .filter(worker -> draft.situation.capacity(worker) > 0)
                    .forEach(byLoad::add);
        }

        private void load(int unit, int worker, int sign) {
            double weight = draft.situation.weight(unit);
            loads[worker] += sign * weight;
            Map<Double, Deque<Integer>> units = carried.get(worker);
            if (sign > 0) {
                units.computeIfAbsent(weight, it -> new ArrayDeque<>()).push(unit);
                return;
            }
            Deque<Integer> alike = units.get(weight);
            if (alike != null && alike.remove(unit) && alike.isEmpty()) {
                units.remove(weight);
            }
        }

        void placeWithLightest(int unit) {
            Integer worker = lightest(candidate -> draft.situation.mayHave(candidate, unit));
            if (worker != null) {
                byLoad.remove(worker);
                draft.place(unit, worker);
                load(unit, worker, 1);
                byLoad.add(worker);
            }
        }

        /** Returns the lightest worker with room of those that pass the test. */
        private @Nullable Integer lightest(IntPredicate test) {
            for (Integer worker : byLoad) {
                if (draft.hasRoom(worker) && test.test(worker)) {
                    return worker;
                }
            }
            return null;
        }

        /** @param hasConditions whether labels matter */
        void balance(boolean hasConditions) {
            // Rounding could make two workers pass a unit back and forth. No plan needs more moves than this.
            int most = 8 * draft.plan.length + loads.length;
            for (int moves = 0; moves < most && (hasConditions ? moveAny() : moveOne()); moves++) {
                // Each move is a step towards balance.
            }
        }

        private boolean moveOne() {
            if (byLoad.isEmpty()) {
                return false;
            }
            int from = byLoad.last();
            Integer to = lightest(worker -> true);
            return to != null && moveFrom(from, to);
        }

        /**
         * Makes a move between any two workers. If units require labels, the heaviest worker may be unable to give units to
         * the lightest, while others still can.
         */
        private boolean moveAny() {
            for (int from : List.copyOf(byLoad.descendingSet())) {
                for (int to : List.copyOf(byLoad)) {
                    if (loads[to] >= loads[from] || ++pairsTried > PAIRS_MAX) {
                        break;
                    }
                    if (draft.hasRoom(to) && moveFrom(from, to)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean moveFrom(int from, int to) {
            Integer unit = bestMove(from, to);
            if (unit == null) {
                return false;
            }
            byLoad.remove(from);
            byLoad.remove(to);
            load(unit, from, -1);
            draft.take(unit);
            draft.place(unit, to);
            load(unit, to, 1);
            byLoad.add(from);
            byLoad.add(to);
            return true;
        }

        /** Returns the unit that makes the two workers most equal, or null if no move makes them more equal. */
        private @Nullable Integer bestMove(int from, int to) {
            double difference = loads[from] - loads[to];
            TreeMap<Double, Deque<Integer>> units = carried.get(from);
            Integer below = firstOf(units.headMap(difference / 2, true).descendingMap(), to);
            Integer above = firstOf(units.subMap(difference / 2, false, difference, false), to);
            if (below == null || above == null) {
                return below == null ? above : below;
            }
            double under = difference / 2 - draft.situation.weight(below);
            double over = draft.situation.weight(above) - difference / 2;
            return under <= over ? below : above;
        }

        private @Nullable Integer firstOf(Map<Double, Deque<Integer>> units, int to) {
            return units.values().stream()
                    .flatMap(Deque::stream)
                    .filter(unit -> draft.situation.mayHave(to, unit))
                    .findFirst()
                    .orElse(null);
        }
    }
}
