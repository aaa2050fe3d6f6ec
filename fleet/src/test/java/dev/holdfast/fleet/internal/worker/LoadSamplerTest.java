package dev.holdfast.fleet.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoadSamplerTest {
    private static final Duration TERM = Duration.ofSeconds(10);
    private double load = 100;
    private final LoadSampler sampler = new LoadSampler(() -> load, TERM);

    private OptionalDouble at(long seconds) {
        return sampler.sample(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void aSmallChangeIsNotReported() {
        assertThat(at(0)).hasValue(100);
        load = 109;
        assertThat(at(60)).hasValue(100);
        load = 110;
        assertThat(at(61)).hasValue(110);
    }

    @Test
    void aLargeChangeIsReportedOncePerTerm() {
        assertThat(at(0)).hasValue(100);
        load = 500;
        assertThat(at(9)).hasValue(100);
        assertThat(at(10)).hasValue(500);
        load = 0;
        assertThat(at(19)).hasValue(500);
        assertThat(at(20)).hasValue(0);
    }

    @Test
    void aLoadThatChangesAllTheTimeIsReportedAtMostOncePerTerm() {
        Random random = new Random(3);
        int reports = 0;
        OptionalDouble last = at(0);
        for (int second = 1; second <= 1000; second++) {
            load = random.nextInt(1000);
            OptionalDouble now = at(second);
            reports += now.equals(last) ? 0 : 1;
            last = now;
        }
        assertThat(reports).isBetween(50, 100);
    }

    @Test
    void aLoadThatCannotBeMeasuredIsUnknown() {
        load = Double.NaN;
        assertThat(at(0)).isEmpty();
        load = -1;
        assertThat(at(10)).isEmpty();
        load = 3;
        assertThat(at(20)).hasValue(3);
        LoadSampler failing = new LoadSampler(
                () -> {
                    throw new IllegalStateException("a test");
                },
                TERM);
        assertThat(failing.sample(0)).isEmpty();
        assertThat(new LoadSampler(null, TERM).sample(0)).isEmpty();
    }
}
