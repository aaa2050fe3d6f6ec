package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.LabelledSituation.TestUnit;
import dev.holdfast.fleet.LabelledSituation.TestWorker;
import dev.holdfast.fleet.UnplacedReason.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnplacedReasonTest {
    private static UnplacedReason reason(String requires, List<TestWorker> workers, int... counts) {
        return UnplacedReason.in(
                new LabelledSituation(workers, List.of(TestUnit.of(requires, "", "")), new int[] {-1}), counts, 0);
    }

    @Test
    void withoutWorkersThatTakeUnitsNoneIsJoined() {
        assertThat(reason("", List.of()).cause()).isEqualTo(Cause.NO_WORKER);
        assertThat(reason("", List.of(LabelledSituation.worker("", 0)), 0).cause())
                .isEqualTo(Cause.NO_WORKER);
    }

    @Test
    void theMissingLabelsAreNamed() {
        List<TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a disk=hdd", 5), LabelledSituation.worker("zone=b disk=ssd", 5));

        assertThat(reason("zone=c disk=ssd", workers, 0, 0).text()).isEqualTo("require zone=c, which no worker has");
        assertThat(reason("zone=a disk=ssd", workers, 0, 0).text())
                .isEqualTo("require disk=ssd and zone=a, which no worker has");
        assertThat(reason("zone=c|d", workers, 0, 0).text()).isEqualTo("require zone=c|d, which no worker has");
    }

    @Test
    void aLabelOfAWorkerThatIsLeavingIsMissing() {
        List<TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a", 0), LabelledSituation.worker("zone=b", 5));

        assertThat(reason("zone=a", workers, 0, 0).cause()).isEqualTo(Cause.LABELS);
    }

    @Test
    void onlyTheRoomOfSuitableWorkersCounts() {
        List<TestWorker> workers =
                List.of(LabelledSituation.worker("zone=a", 2), LabelledSituation.worker("zone=b", 5));

        assertThat(reason("zone=a", workers, 2, 0).cause()).isEqualTo(Cause.NO_ROOM);
        assertThat(reason("zone=a", workers, 1, 0).cause()).isEqualTo(Cause.NOT_ASSIGNED);
    }
}
