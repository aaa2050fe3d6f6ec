package dev.holdfast.dashboard.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LostReason;
import dev.holdfast.dashboard.activity.LossLog.ShownLoss;
import dev.holdfast.dashboard.activity.RateSeries.StepRates;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ActivityRecorderTest {
    private static final Key A = Key.of("jobs", "a");
    private static final Key B = Key.of("jobs", "b");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L); // It overflows soon.
    private final ActivityRecorder recorder = new ActivityRecorder(nanos::get);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void ratesAreOfTheirStepAndAreForgottenAfterAQuarterOfAnHour() {
        for (int i = 0; i < 50; i++) {
            recorder.onGranted(A, Fence.of(i + 1));
        }
        recorder.onBatch(10, Duration.ofMillis(2).toNanos());
        recorder.onBatch(20, Duration.ofMillis(40).toNanos());
        pass(Duration.ofSeconds(10));

        List<StepRates> steps = recorder.rates().steps();

        assertThat(steps).hasSize(90);
        StepRates before = steps.get(88);
        assertThat(before.grantsPerSecond()).isEqualTo(5);
        assertThat(before.batchSize()).isEqualTo(15);
        assertThat(before.batchMillisP50()).isBetween(1.8, 2.6);
        assertThat(before.batchMillisP99()).isBetween(35.0, 51.0);
        assertThat(steps.get(89).batchSize()).isNull();
        pass(Duration.ofMinutes(15));
        assertThat(recorder.rates().steps()).allMatch(step -> step.grantsPerSecond() == 0 && step.batchSize() == null);
    }

    @Test
    void aLossIsRecordedOnceAndForAnHour() {
        recorder.onEvicted(A, "by an operator");
        recorder.onLost(A, LostReason.EVICTED);
        pass(Duration.ofMinutes(1));
        recorder.onLost(B, LostReason.TAKEN);

        assertThat(recorder.losses().newest(key -> true, 9))
                .extracting(ShownLoss::key)
                .containsExactly(B, A);
        assertThat(recorder.losses().newest(A::equals, 9))
                .extracting(ShownLoss::reason)
                .containsExactly("evicted");
        pass(Duration.ofMinutes(59).plusNanos(1));
        assertThat(recorder.losses().newest(key -> true, 9))
                .extracting(ShownLoss::key)
                .containsExactly(B);
    }

    @Test
    void waitsOfManyKeysCoverTheTimeThatTheyStandFor() {
        for (int i = 1; i <= 100; i++) {
            recorder.onWaitEnded(i % 2 == 0 ? A : B, Duration.ofMillis(i).toNanos(), true);
        }

        assertThat(recorder.waits().of(key -> true).p50()).isEqualTo(Duration.ofMillis(50));
        assertThat(recorder.waits().of(A::equals).longest()).isEqualTo(Duration.ofMillis(100));
        assertThat(recorder.waits().of(B::equals).p99()).isEqualTo(Duration.ofMillis(99));
        assertThat(recorder.waits().byKey(key -> true)).containsOnlyKeys(A, B);
        assertThat(recorder.waits().of(key -> true).covered()).isEqualTo(Duration.ofMinutes(15));
        pass(Duration.ofMinutes(2));
        for (int i = 0; i < 10_001; i++) {
            recorder.onWaitEnded(A, 1, true);
        }
        pass(Duration.ofMinutes(1));
        assertThat(recorder.waits().of(key -> true).covered()).isEqualTo(Duration.ofMinutes(1));
        assertThat(recorder.waits().of(B::equals).count()).isZero();
    }
}
