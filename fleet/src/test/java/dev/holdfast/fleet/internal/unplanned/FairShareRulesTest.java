package dev.holdfast.fleet.internal.unplanned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairShareRulesTest {
    private static FairShareRules decide(
            List<String> free, Map<String, String> holders, int held, int capacity, int stealMost) {
        return FairShareRules.decide(
                free, holders, "me", new FairShareRules.Limits(held, capacity, stealMost), new Random(1));
    }

    @Test
    void freeUnitsAreTakenUpToTheShare() {
        FairShareRules share = decide(List.of("a", "b", "c", "d"), Map.of("e", "other", "f", "other"), 0, 100, 1);

        assertThat(share.take()).hasSize(3).isSubsetOf("a", "b", "c", "d");
        assertThat(share.steal()).isEmpty();
    }

    @Test
    void nothingIsStolenWhileAUnitIsFree() {
        FairShareRules share = decide(List.of("a"), Map.of("b", "other", "c", "other", "d", "other"), 0, 100, 5);

        assertThat(share.take()).containsExactly("a");
        assertThat(share.steal()).isEmpty();
    }

    @Test
    void withoutFreeUnitsALimitedNumberIsStolenFromTheLargestHolder() {
        Map<String, String> holders = Map.of("a", "rich", "b", "rich", "c", "rich", "d", "rich", "e", "poor");

        assertThat(decide(List.of(), holders, 0, 100, 1).steal()).hasSize(1).isSubsetOf("a", "b", "c", "d");
        assertThat(decide(List.of(), holders, 0, 100, 9).steal()).hasSize(2).isSubsetOf("a", "b", "c", "d");
    }

    @Test
    void nothingIsStolenFromAWorkerThatHasHardlyMore() {
        assertThat(decide(List.of(), Map.of("a", "other"), 0, 100, 1).steal()).isEmpty();
        assertThat(decide(List.of(), Map.of("a", "other", "b", "other", "c", "me"), 1, 100, 1)
                        .steal())
                .isEmpty();
    }

    @Test
    void aWorkerTakesNoMoreThanItsCapacity() {
        assertThat(decide(List.of("a", "b", "c"), Map.of(), 0, 2, 1).take()).hasSize(2);
        assertThat(decide(List.of("a"), Map.of(), 2, 2, 1).take()).isEmpty();
    }

    @Test
    void workersThatStealInTurnReachABalance() {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            int workers = 1 + random.nextInt(6);
            Map<String, String> holders = new HashMap<>();
            IntStream.range(0, random.nextInt(40)).forEach(i -> holders.put("u" + i, "w" + random.nextInt(workers)));
            int lastSteal = 0;
            for (int i = 0; i < 100; i++) {
                for (int worker = 0; worker < workers; worker++) {
                    lastSteal = steal(holders, "w" + worker, random) ? i : lastSteal;
                }
            }
            assertThat(lastSteal).as("it ends").isLessThan(90);
            int[] loads = IntStream.range(0, workers)
                    .map(worker -> (int) holders.values().stream()
                            .filter(("w" + worker)::equals)
                            .count())
                    .sorted()
                    .toArray();
            assertThat(loads[workers - 1] - loads[0]).isLessThanOrEqualTo(1);
        }
    }

    private static boolean steal(Map<String, String> holders, String me, Random random) {
        int held = (int) holders.values().stream().filter(me::equals).count();
        FairShareRules share =
                FairShareRules.decide(List.of(), holders, me, new FairShareRules.Limits(held, 1000, 1), random);
        share.steal().forEach(unit -> holders.put(unit, me));
        return !share.steal().isEmpty();
    }
}
