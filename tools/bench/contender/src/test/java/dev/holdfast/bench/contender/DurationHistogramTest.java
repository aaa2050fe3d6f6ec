package dev.holdfast.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DurationHistogramTest {
    @Test
    void quantilesAreWithinThreePercent() {
        DurationHistogram histogram = new DurationHistogram();
        for (int micros = 1; micros <= 100_000; micros++) {
            histogram.add(micros * 1000L);
        }

        assertThat((double) histogram.quantileMicros(0.5)).isCloseTo(50_000, within(1_600.0));
        assertThat((double) histogram.quantileMicros(0.99)).isCloseTo(99_000, within(3_200.0));
    }

    @Test
    void aHistogramSurvivesItsTextForm() {
        DurationHistogram histogram = new DurationHistogram();
        histogram.add(5_000_000);
        histogram.add(7_000);

        DurationHistogram copy = DurationHistogram.parse(histogram.toString());

        assertThat(copy.size()).isEqualTo(2);
        assertThat(copy.quantileMicros(1)).isEqualTo(histogram.quantileMicros(1));
        assertThat(DurationHistogram.parse("").quantileMicros(0.5)).isZero();
    }
}
