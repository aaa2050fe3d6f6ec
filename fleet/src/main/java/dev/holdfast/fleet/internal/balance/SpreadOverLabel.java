package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetSituation;
import dev.holdfast.fleet.LabelConditions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A strategy that spreads the units of each group over the values of a label, and then balances the workers of each value
 * by another strategy. Workers without the label count as one more value.
 */
public final class SpreadOverLabel implements AssignmentStrategy {
    /** More than any plan needs. */
    private static final int ROUNDS_MAX = 20;

    private final String label;
    private final AssignmentStrategy within;

    /** @param within the strategy for the workers of one value */
    public SpreadOverLabel(String label, AssignmentStrategy within) {
        this.label = LabelConditions.requireName(label);
        this.within = within;
    }

    @Override
    public int[] assign(FleetSituation situation) {
        Map<String, Integer> numbers = new HashMap<>();
        int[] zoneOf = IntStream.range(0, situation.workers())
                .map(worker -> numbers.computeIfAbsent(
                        situation.labels(worker).getOrDefault(label, ""), value -> numbers.size()))
                .toArray();
        if (within instanceof AssignByCount) {
            return LabelledBalance.spread(situation, situation::owner, zoneOf, true);
        }
        int[] plan = assignOnce(situation, situation::owner, zoneOf);
        // The strategy within a zone may make room that allows a better spread.
        for (int round = 0; round < ROUNDS_MAX; round++) {
            int[] last = plan;
            plan = assignOnce(situation, unit -> last[unit], zoneOf);
            if (Arrays.equals(plan, last)) {
                break;
            }
        }
        return plan;
    }

    private int[] assignOnce(FleetSituation situation, IntUnaryOperator workerOf, int[] zoneOf) {
        int[] plan = LabelledBalance.spread(situation, workerOf, zoneOf, false);
        int zones = IntStream.of(zoneOf).max().orElse(-1) + 1;
        for (int zone = 0; zone < zones; zone++) {
            assignWithin(situation, plan, zoneOf, zone);
        }
        return plan;
    }

    private void assignWithin(FleetSituation situation, int[] plan, int[] zoneOf, int zone) {
        int[] workers = IntStream.range(0, zoneOf.length)
                .filter(worker -> zoneOf[worker] == zone)
                .toArray();
        int[] units = IntStream.range(0, plan.length)
                .filter(unit -> plan[unit] != UNASSIGNED && zoneOf[plan[unit]] == zone)
                .toArray();
        int[] indexes = new int[zoneOf.length];
        IntStream.range(0, workers.length).forEach(i -> indexes[workers[i]] = i);
        int[] owners = IntStream.of(units).map(unit -> indexes[plan[unit]]).toArray();
        int[] next = within.assign(new ZoneSituation(situation, workers, units, owners));
        for (int i = 0; i < units.length; i++) {
            plan[units[i]] = next[i] == UNASSIGNED ? UNASSIGNED : workers[next[i]];
        }
    }

    /** The part of a situation with the workers and units of one zone. */
    @SuppressWarnings("ArrayRecordComponent") // it is private, and never compared
    private record ZoneSituation(FleetSituation whole, int[] workerNumbers, int[] unitNumbers, int[] owners)
            implements FleetSituation {
        @Override
        public int workers() {
            return workerNumbers.length;
        }

        @Override
        public int units() {
            return unitNumbers.length;
        }

        @Override
        public int capacity(int worker) {
            return whole.capacity(workerNumbers[worker]);
        }

        @Override
        public double weight(int unit) {
            return whole.weight(unitNumbers[unit]);
        }

        @Override
        public int owner(int unit) {
            return owners[unit];
        }

        @Override
        public boolean mayHave(int worker, int unit) {
            return whole.mayHave(workerNumbers[worker], unitNumbers[unit]);
        }

        @Override
        public Map<String, String> labels(int worker) {
            return whole.labels(workerNumbers[worker]);
        }

        @Override
        public OptionalDouble load(int worker) {
            return whole.load(workerNumbers[worker]);
        }

        @Override
        public LabelConditions requires(int unit) {
            return whole.requires(unitNumbers[unit]);
        }

        @Override
        public LabelConditions prefers(int unit) {
            return whole.prefers(unitNumbers[unit]);
        }

        @Override
        public String group(int unit) {
            return whole.group(unitNumbers[unit]);
        }
    }
}
