package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentStrategyTest {
    private static final AssignmentStrategy COUNT = AssignmentStrategy.byCount();
    private static final AssignmentStrategy WEIGHT = AssignmentStrategy.byWeight();

    /** A situation made of arrays. */
    private static final class Case implements FleetSituation {
        private final int[] capacities;
        private final double[] weights;
        private final int[] owners;
        private final boolean[][] banned;

        Case(int[] capacities, double[] weights, int[] owners, boolean[][] banned) {
            this.capacities = capacities;
            this.weights = weights;
            this.owners = owners;
            this.banned = banned;
        }

        static Case of(int workers, int... owners) {
            int[] capacities = new int[workers];
            Arrays.fill(capacities, Integer.MAX_VALUE);
            double[] weights = new double[owners.length];
            Arrays.fill(weights, 1);
            return new Case(capacities, weights, owners, new boolean[workers][owners.length]);
        }

        Case withOwners(int[] newOwners) {
            return new Case(capacities, weights, newOwners, banned);
        }

        @Override
        public int workers() {
            return capacities.length;
        }

        @Override
        public int units() {
            return owners.length;
        }

        @Override
        public int capacity(int worker) {
            return capacities[worker];
        }

        @Override
        public double weight(int unit) {
            return weights[unit];
        }

        @Override
        public int owner(int unit) {
            return owners[unit];
        }

        @Override
        public boolean mayHave(int worker, int unit) {
            return !banned[worker][unit];
        }

        int[] loads(int[] plan) {
            int[] loads = new int[workers()];
            Arrays.stream(plan).filter(worker -> worker >= 0).forEach(worker -> loads[worker]++);
            return loads;
        }

        double[] weights(int[] plan) {
            double[] loads = new double[workers()];
            for (int unit = 0; unit < plan.length; unit++) {
                if (plan[unit] >= 0) {
                    loads[plan[unit]] += weights[unit];
                }
            }
            return loads;
        }

        int moves(int[] plan) {
            return (int) IntStream.range(0, plan.length)
                    .filter(unit -> owners[unit] >= 0 && plan[unit] != owners[unit])
                    .count();
        }

        /** Returns how many units any balanced plan must move from their current workers. */
        int leastMoves() {
            int[] loads = loads(owners);
            Arrays.sort(loads);
            int share = units() / workers();
            int larger = units() % workers();
            int moves = 0;
            for (int i = 0; i < loads.length; i++) {
                boolean getsOneMore = loads.length - 1 - i < larger;
                moves += Math.max(0, loads[i] - share - (getsOneMore ? 1 : 0));
            }
            return moves;
        }
    }

    private static void assertBalancedWithFewestMoves(Case situation) {
        int[] plan = COUNT.assign(situation);
        int[] loads = situation.loads(plan);
        Arrays.sort(loads);
        assertThat(plan).as("everything is placed").doesNotContain(AssignmentStrategy.UNASSIGNED);
        assertThat(loads[loads.length - 1] - loads[0]).as("balance").isLessThanOrEqualTo(1);
        assertThat(situation.moves(plan)).as("moves").isEqualTo(situation.leastMoves());
    }

    @Test
    void everySmallFleetIsBalancedByTheFewestMoves() {
        for (int workers = 1; workers <= 4; workers++) {
            for (int units = 0; units <= 6; units++) {
                int cases = (int) Math.pow(workers + 1, units);
                for (int number = 0; number < cases; number++) {
                    assertBalancedWithFewestMoves(Case.of(workers, digits(number, workers + 1, units)));
                }
            }
        }
    }

    private static int[] digits(int number, int base, int count) {
        int[] digits = new int[count];
        int rest = number;
        for (int i = 0; i < count; i++) {
            digits[i] = rest % base - 1;
            rest /= base;
        }
        return digits;
    }

    @Test
    void largeFleetsAreBalancedByTheFewestMovesToo() {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            int workers = 1 + random.nextInt(50);
            int[] owners = IntStream.range(0, random.nextInt(2000))
                    .map(unit -> (int) (random.nextDouble() * random.nextDouble() * (workers + 1)) - 1)
                    .toArray();
            assertBalancedWithFewestMoves(Case.of(workers, owners));
        }
    }

    @Test
    void aBalancedPlanIsLeftAsItIs() {
        forRandomCases(
                COUNT,
                (situation, plan) ->
                        assertThat(COUNT.assign(situation.withOwners(plan))).isEqualTo(plan));
    }

    @Test
    void movesMadeOneAtATimeAreNoMoreThanMovesMadeAtOnce() {
        Random random = new Random(11);
        for (int i = 0; i < 100; i++) {
            int workers = 2 + random.nextInt(6);
            int[] owners =
                    IntStream.range(0, 40).map(unit -> random.nextInt(workers)).toArray();
            Case situation = Case.of(workers, owners);
            int least = situation.leastMoves();
            int made = 0;
            for (int[] plan = COUNT.assign(situation); situation.moves(plan) > 0; plan = COUNT.assign(situation)) {
                int unit = firstMove(situation, plan);
                int[] next = situation.owners.clone();
                next[unit] = plan[unit];
                situation = situation.withOwners(next);
                made++;
            }
            assertThat(made).isEqualTo(least);
        }
    }

    private static int firstMove(Case situation, int[] plan) {
        return IntStream.range(0, plan.length)
                .filter(unit -> plan[unit] != situation.owner(unit))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void workersGetNoMoreThanTheirCapacityAndTheRestIsUnassigned() {
        Case situation = Case.of(3, new int[20]);
        situation.capacities[0] = 2;
        situation.capacities[1] = 5;
        situation.capacities[2] = 4;

        for (AssignmentStrategy assignmentStrategy : new AssignmentStrategy[] {COUNT, WEIGHT}) {
            int[] plan = assignmentStrategy.assign(situation);

            assertThat(situation.loads(plan)).containsExactly(2, 5, 4);
            assertThat(Arrays.stream(plan).filter(worker -> worker == AssignmentStrategy.UNASSIGNED))
                    .hasSize(9);
        }
    }

    @Test
    void unitsAboveASmallCapacityAreSpreadEvenlyOverTheOtherWorkers() {
        Case situation = Case.of(3, IntStream.range(0, 21).map(unit -> -1).toArray());
        situation.capacities[0] = 1;

        assertThat(situation.loads(COUNT.assign(situation))).containsExactly(1, 10, 10);
    }

    @Test
    void aUnitInBackoffOnOneWorkerGoesToAnother() {
        for (AssignmentStrategy assignmentStrategy : new AssignmentStrategy[] {COUNT, WEIGHT}) {
            Case situation = Case.of(3, 0, 0, 1, 1, 2, 2);
            situation.banned[0][1] = true;

            int[] plan = assignmentStrategy.assign(situation);

            assertThat(plan[1]).isIn(1, 2);
            assertThat(plan[0]).isZero();
        }
    }

    @Test
    void aUnitInBackoffOnEveryWorkerIsUnassigned() {
        for (AssignmentStrategy assignmentStrategy : new AssignmentStrategy[] {COUNT, WEIGHT}) {
            Case situation = Case.of(1, 0, 0);
            situation.banned[0][1] = true;

            assertThat(assignmentStrategy.assign(situation)).containsExactly(0, AssignmentStrategy.UNASSIGNED);
        }
    }

    @Test
    void withoutWorkersAllUnitsAreUnassigned() {
        assertThat(COUNT.assign(Case.of(0))).isEmpty();
        assertThat(WEIGHT.assign(Case.of(0))).isEmpty();
        assertThat(COUNT.assign(Case.of(0, -1, -1))).containsOnly(AssignmentStrategy.UNASSIGNED);
        assertThat(WEIGHT.assign(Case.of(0, -1, -1))).containsOnly(AssignmentStrategy.UNASSIGNED);
    }

    @Test
    void weightsDifferByNoMoreThanTheLightestUnitOfTheHeaviestWorker() {
        forRandomCases(WEIGHT, (situation, plan) -> {
            double[] loads = situation.weights(plan);
            double most = Arrays.stream(loads).max().orElseThrow();
            // If several workers are equally heavy, any of them.
            double lightestUnit = IntStream.range(0, loads.length)
                    .filter(worker -> loads[worker] == most)
                    .mapToDouble(worker -> lightest(situation, plan, worker))
                    .max()
                    .orElseThrow();
            double least = Arrays.stream(loads).min().orElseThrow();
            assertThat(most - least).isLessThanOrEqualTo(lightestUnit + 1e-9);
        });
    }

    private static double lightest(Case situation, int[] plan, int worker) {
        return IntStream.range(0, plan.length)
                .filter(unit -> plan[unit] == worker)
                .mapToDouble(situation::weight)
                .min()
                .orElse(0);
    }

    @Test
    void aPlanByWeightThatIsBalancedIsLeftAsItIs() {
        forRandomCases(
                WEIGHT,
                (situation, plan) ->
                        assertThat(WEIGHT.assign(situation.withOwners(plan))).isEqualTo(plan));
    }

    private interface Look {
        void at(Case situation, int[] plan);
    }

    private static void forRandomCases(AssignmentStrategy assignmentStrategy, Look check) {
        Random random = new Random(3);
        IntFunction<Integer> anyWorker = workers -> random.nextInt(workers + 1) - 1;
        for (int i = 0; i < 300; i++) {
            int workers = 1 + random.nextInt(12);
            int[] owners = IntStream.range(0, random.nextInt(120))
                    .map(unit -> anyWorker.apply(workers))
                    .toArray();
            Case situation = Case.of(workers, owners);
            for (int unit = 0; unit < owners.length; unit++) {
                situation.weights[unit] = 1 + random.nextInt(20) / 4.0;
            }
            check.at(situation, assignmentStrategy.assign(situation));
        }
    }
}
