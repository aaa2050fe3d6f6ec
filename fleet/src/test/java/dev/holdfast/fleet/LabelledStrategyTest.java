package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.LabelledSituation.TestUnit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The guarantees of strategies for fleets with labels, checked on random fleets by slower methods. */
class LabelledStrategyTest {
    private static final AssignmentStrategy COUNT = AssignmentStrategy.byCount();
    private static final AssignmentStrategy WEIGHT = AssignmentStrategy.byWeight();
    private static final AssignmentStrategy SPREAD = AssignmentStrategy.spreadOver("zone");
    private static final AssignmentStrategy SPREAD_WEIGHT =
            AssignmentStrategy.spreadOver("zone", AssignmentStrategy.byWeight());
    private static final List<AssignmentStrategy> ALL = List.of(COUNT, WEIGHT, SPREAD, SPREAD_WEIGHT);
    private static final int CASES = 500;

    private interface Check {
        void of(LabelledSituation situation, int[] plan);
    }

    private static void forRandomFleets(AssignmentStrategy strategy, boolean limited, Check check) {
        Random random = new Random(5);
        for (int i = 0; i < CASES; i++) {
            LabelledSituation situation = LabelledSituation.random(random, 8, 24, limited);
            check.of(situation, strategy.assign(situation));
        }
    }

    @Test
    void noStrategyViolatesARequirementOrACapacity() {
        for (AssignmentStrategy strategy : ALL) {
            forRandomFleets(strategy, true, (situation, plan) -> {
                int[] loads = situation.loads(plan);
                for (int worker = 0; worker < loads.length; worker++) {
                    assertThat(loads[worker]).isLessThanOrEqualTo(situation.capacity(worker));
                }
                for (int unit = 0; unit < plan.length; unit++) {
                    assertThat(plan[unit] < 0 || situation.mayHave(plan[unit], unit))
                            .as("unit %s on %s in %s", unit, plan[unit], situation)
                            .isTrue();
                }
            });
        }
    }

    @Test
    void noUnitIsUnplacedThatCouldBePlaced() {
        for (AssignmentStrategy strategy : ALL) {
            forRandomFleets(strategy, true, (situation, plan) -> {
                for (int unit = 0; unit < plan.length; unit++) {
                    int lost = unit;
                    if (plan[unit] < 0) {
                        Set<Integer> roots = new TreeSet<>(workers(situation, w -> situation.mayHave(w, lost)));
                        assertThat(reachable(situation, plan, roots, worker -> true))
                                .as("workers whose units could make room for unit %s in %s", unit, situation)
                                .noneMatch(worker -> situation.loads(plan)[worker] < situation.capacity(worker));
                    }
                }
            });
        }
    }

    @Test
    void noChainOfMovesMakesTwoWorkersMoreEqual() {
        forRandomFleets(COUNT, true, (situation, plan) -> assertNoChainHelps(situation, plan, false));
    }

    @Test
    void noChainOfMovesWithinAZoneMakesTwoWorkersMoreEqual() {
        forRandomFleets(SPREAD, true, (situation, plan) -> assertNoChainHelps(situation, plan, true));
    }

    private static void assertNoChainHelps(LabelledSituation situation, int[] plan, boolean inZone) {
        int[] loads = situation.loads(plan);
        for (int from = 0; from < loads.length; from++) {
            String zone = situation.zone(from);
            Set<Integer> reachable = reachable(
                    situation,
                    plan,
                    Set.of(from),
                    to -> !inZone || situation.zone(to).equals(zone));
            for (int to : reachable) {
                assertThat(loads[to] < situation.capacity(to) && loads[from] - loads[to] >= 2)
                        .as("%s to %s of %s in %s", from, to, Arrays.toString(plan), situation)
                        .isFalse();
            }
        }
    }

    private static List<Integer> workers(LabelledSituation situation, IntPredicate which) {
        return IntStream.range(0, situation.workers())
                .filter(worker -> situation.capacity(worker) > 0)
                .filter(which)
                .boxed()
                .toList();
    }

    /** Returns the workers to which units could be passed on from the roots, one worker after another. */
    private static Set<Integer> reachable(
            LabelledSituation situation, int[] plan, Set<Integer> roots, IntPredicate which) {
        Set<Integer> reached = new TreeSet<>(roots);
        Deque<Integer> queue = new ArrayDeque<>(roots);
        while (!queue.isEmpty()) {
            int from = queue.remove();
            for (int unit = 0; unit < plan.length; unit++) {
                int moving = unit;
                if (plan[unit] == from) {
                    workers(situation, to -> which.test(to) && situation.mayHave(to, moving)).stream()
                            .filter(reached::add)
                            .forEach(queue::add);
                }
            }
        }
        return reached;
    }

    @Test
    void noMoveOrExchangeHonoursMorePreferences() {
        forRandomFleets(COUNT, true, (situation, plan) -> {
            int[] loads = situation.loads(plan);
            for (int unit = 0; unit < plan.length; unit++) {
                int from = plan[unit];
                for (int to = 0; from >= 0 && to < loads.length; to++) {
                    int gain = situation.preference(to, unit) - situation.preference(from, unit);
                    boolean canMove = situation.mayHave(to, unit) && situation.capacity(to) > 0;
                    boolean hasRoom = loads[to] < Math.min(situation.capacity(to), loads[from]);
                    assertThat(gain > 0 && canMove && hasRoom)
                            .as("move of %s to %s in %s", unit, to, situation)
                            .isFalse();
                    for (int other = 0; canMove && other < plan.length; other++) {
                        boolean canSwap = plan[other] == to && situation.mayHave(from, other);
                        int both = gain
                                + (canSwap ? situation.preference(from, other) - situation.preference(to, other) : 0);
                        assertThat(canSwap && both > 0)
                                .as("exchange of %s and %s in %s", unit, other, situation)
                                .isFalse();
                    }
                }
            }
        });
    }

    @Test
    void aPlanIsLeftAsItIs() {
        for (AssignmentStrategy strategy : ALL) {
            forRandomFleets(
                    strategy,
                    true,
                    (situation, plan) -> assertThat(strategy.assign(situation.withOwners(plan)))
                            .as("%s on %s", strategy, situation)
                            .isEqualTo(plan));
        }
    }

    private static Map<String, Integer> spread(LabelledSituation situation, int[] plan, String group) {
        Map<String, Integer> counts = new TreeMap<>();
        workers(situation, worker -> true).forEach(worker -> counts.put(situation.zone(worker), 0));
        for (int unit = 0; unit < plan.length; unit++) {
            if (plan[unit] >= 0 && situation.group(unit).equals(group)) {
                counts.merge(situation.zone(plan[unit]), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static Set<String> groups(LabelledSituation situation) {
        return situation.unitList().stream().map(TestUnit::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void withoutRequirementsAndLimitsEachGroupIsSpreadToWithinOne() {
        for (AssignmentStrategy strategy : List.of(SPREAD, SPREAD_WEIGHT)) {
            forRandomFleets(strategy, false, (situation, plan) -> {
                for (String group : groups(situation)) {
                    Map<String, Integer> counts = spread(situation, plan, group);
                    assertThat(Math.max(0, max(counts) - min(counts)))
                            .as("%s of %s in %s", counts, group, situation)
                            .isLessThanOrEqualTo(1);
                }
            });
        }
    }

    private static int max(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(it -> it).max().orElse(0);
    }

    private static int min(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(it -> it).min().orElse(0);
    }

    @Test
    void noMoveAndNoExchangeMakesTheSpreadMoreEven() {
        forRandomFleets(SPREAD, true, (situation, plan) -> {
            for (int unit = 0; unit < plan.length; unit++) {
                for (int to : workers(situation, worker -> true)) {
                    if (plan[unit] >= 0 && situation.mayHave(to, unit)) {
                        assertSpreadIsNoBetter(situation, plan, unit, to);
                    }
                }
            }
        });
    }

    private static void assertSpreadIsNoBetter(LabelledSituation situation, int[] plan, int unit, int to) {
        long before = unevenness(situation, plan);
        int[] changed = plan.clone();
        int from = plan[unit];
        changed[unit] = to;
        if (situation.loads(plan)[to] < situation.capacity(to)) {
            assertThat(unevenness(situation, changed))
                    .as("move of %s to %s in %s", unit, to, situation)
                    .isGreaterThanOrEqualTo(before);
        }
        for (int other = 0; other < plan.length; other++) {
            boolean harmsNoGroup =
                    isLarger(situation, plan, unit, from, to) && isLarger(situation, plan, other, to, from);
            if (plan[other] == to && situation.mayHave(from, other) && harmsNoGroup) {
                changed[other] = from;
                assertThat(unevenness(situation, changed))
                        .as("exchange of %s and %s in %s", unit, other, situation)
                        .isGreaterThanOrEqualTo(before);
                changed[other] = to;
            }
        }
    }

    private static boolean isLarger(LabelledSituation situation, int[] plan, int unit, int first, int second) {
        Map<String, Integer> counts = spread(situation, plan, situation.group(unit));
        return counts.getOrDefault(situation.zone(first), 0) > counts.getOrDefault(situation.zone(second), 0);
    }

    private static long unevenness(LabelledSituation situation, int[] plan) {
        return groups(situation).stream()
                .flatMap(group -> spread(situation, plan, group).values().stream())
                .mapToLong(count -> (long) count * count)
                .sum();
    }

    @Test
    void aGroupIsSpreadByTheFewestMoves() {
        Random random = new Random(9);
        for (int i = 0; i < CASES; i++) {
            int zones = 1 + random.nextInt(5);
            LabelledSituation situation = new LabelledSituation(
                    IntStream.range(0, zones)
                            .mapToObj(zone -> LabelledSituation.worker("zone=z" + zone, Integer.MAX_VALUE))
                            .toList(),
                    IntStream.range(0, random.nextInt(40))
                            .mapToObj(unit -> TestUnit.of("", "", ""))
                            .toList(),
                    new int[0]);
            situation = situation.withOwners(IntStream.range(0, situation.units())
                    .map(unit -> random.nextInt(zones + 1) - 1)
                    .toArray());
            int[] plan = SPREAD.assign(situation);
            // One worker per zone: the fewest moves are those of a plan by count.
            int[] byCount = COUNT.assign(situation);
            assertThat(moves(situation, plan)).isEqualTo(moves(situation, byCount));
        }
    }

    private static long moves(LabelledSituation situation, int[] plan) {
        return IntStream.range(0, plan.length)
                .filter(unit -> situation.owner(unit) >= 0 && plan[unit] != situation.owner(unit))
                .count();
    }

    @Test
    void unitsWithoutAGroupAreSpreadOverZonesOfDifferentSize() {
        LabelledSituation situation = new LabelledSituation(
                List.of(
                        LabelledSituation.worker("zone=a", 100),
                        LabelledSituation.worker("zone=a", 100),
                        LabelledSituation.worker("zone=a", 100),
                        LabelledSituation.worker("zone=b", 100)),
                IntStream.range(0, 12).mapToObj(unit -> TestUnit.of("", "", "")).toList(),
                new int[12]);

        assertThat(situation.loads(SPREAD.assign(situation))).containsExactly(2, 2, 2, 6);
    }

    @Test
    void aUnitThatRequiresALabelGetsTheRoomOfOneThatDoesNot() {
        LabelledSituation situation = new LabelledSituation(
                List.of(LabelledSituation.worker("zone=a", 1), LabelledSituation.worker("zone=b", 1)),
                List.of(TestUnit.of("", "", ""), TestUnit.of("zone=a", "", "")),
                new int[] {0, -1});

        assertThat(COUNT.assign(situation)).containsExactly(1, 0);
    }

    @Test
    void aPreferenceIsHonouredByAnExchangeButNotAgainstBalance() {
        List<LabelledSituation.TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a", 9), LabelledSituation.worker("zone=b", 9));
        TestUnit lover = TestUnit.of("", "zone=a", "");
        TestUnit other = TestUnit.of("", "", "");

        assertThat(COUNT.assign(new LabelledSituation(workers, List.of(other, lover), new int[] {0, 1})))
                .containsExactly(1, 0);
        assertThat(new LabelledSituation(workers, List.of(lover, lover, lover, lover), new int[] {0, 0, 1, 1}))
                .satisfies(situation -> assertThat(COUNT.assign(situation)).containsExactly(0, 0, 1, 1));
    }

    /** The time would be hours if it grew with the square of the units. */
    @Test
    void twoHundredThousandUnitsArePlannedInSeconds() {
        Random random = new Random(1);
        String[] zones = {"zone=a", "zone=b", "zone=c"};
        List<LabelledSituation.TestWorker> workers = IntStream.range(0, 600)
                .mapToObj(i -> LabelledSituation.worker(zones[i % 3] + (i % 2 == 0 ? " disk=ssd" : ""), 1000))
                .toList();
        List<TestUnit> kinds = List.of(
                TestUnit.of("", "", "g"),
                TestUnit.of("zone=a", "", "h"),
                TestUnit.of("zone=a|b", "disk=ssd", "i"),
                TestUnit.of("disk=ssd", "zone=c", "j"));
        List<TestUnit> units = IntStream.range(0, 200_000)
                .mapToObj(i -> kinds.get(random.nextInt(kinds.size())))
                .toList();
        int[] owners = IntStream.range(0, units.size()).map(i -> i % 300).toArray();
        long start = System.nanoTime();
        LabelledSituation situation = new LabelledSituation(workers, units, owners);
        int[] plan = SPREAD.assign(situation);
        System.out.println("planned 200,000 units with labels in " + (System.nanoTime() - start) / 1_000_000 + " ms, "
                + moves(situation, plan) + " moved");
        assertThat(plan).doesNotContain(AssignmentStrategy.UNASSIGNED);
    }
}
