package dev.holdfast.fleet.internal.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.LabelledSituation;
import dev.holdfast.fleet.LabelledSituation.TestUnit;
import dev.holdfast.fleet.LabelledSituation.TestWorker;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.fleet.internal.reports.MissingLabels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementObstacleTest {
    private static PlacementObstacle obstacle(String requires, List<TestWorker> workers, int... counts) {
        int[] open = IntStream.range(0, workers.size())
                .filter(worker -> workers.get(worker).capacity() > 0)
                .toArray();
        LabelledSituation situation =
                new LabelledSituation(workers, List.of(TestUnit.of(requires, "", "")), new int[] {-1});
        return PlacementObstacle.of(situation, open, counts, 0);
    }

    @Test
    void theMissingLabelsAreNamed() {
        List<TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a disk=hdd", 5), LabelledSituation.worker("zone=b disk=ssd", 5));

        assertThat(obstacle("zone=c disk=ssd", workers, 0, 0).missing()).hasToString("zone=c");
        assertThat(obstacle("zone=a disk=ssd", workers, 0, 0).missing()).hasToString("disk=ssd and zone=a");
        assertThat(obstacle("zone=c|d", workers, 0, 0).missing()).hasToString("zone=c|d");
    }

    @Test
    void aLabelOfAWorkerThatTakesNoUnitsIsMissing() {
        List<TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a", 0), LabelledSituation.worker("zone=b", 5));

        assertThat(obstacle("zone=a", workers, 0, 0).reason()).isEqualTo(UnplacedReason.LABELS);
    }

    @Test
    void onlyTheRoomOfSuitableWorkersCounts() {
        List<TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a", 2), LabelledSituation.worker("zone=b", 5));

        assertThat(obstacle("zone=a", workers, 2, 0).reason()).isEqualTo(UnplacedReason.NO_ROOM);
        assertThat(obstacle("zone=a", workers, 1, 0).reason()).isEqualTo(UnplacedReason.NOT_CHOSEN);
    }

    @Test
    void theReportNamesTheLabelsWithTheMostUnits() {
        Map<LabelConditions, Long> missing = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            missing.put(LabelledSituation.conditions("host=h" + i), (long) i);
        }
        MissingLabels kept = MissingLabels.of(missing);

        assertThat(kept.units()).hasSize(8).containsValues(99L, 92L);
        assertThat(MissingLabels.of(kept.addTo(Attributes.NONE))).isEqualTo(kept);
    }

    @Test
    void aReportOmitsLabelsThatAreTooLong() {
        LabelConditions small = LabelledSituation.conditions("zone=a");
        LabelConditions large = LabelledSituation.conditions("zone=" + "x".repeat(2000));

        assertThat(MissingLabels.of(Map.of(small, 1L, large, 2L)).units()).containsOnlyKeys(small);
    }
}
