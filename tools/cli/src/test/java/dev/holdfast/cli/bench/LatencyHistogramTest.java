package dev.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    @Test
    void percentilesAreRightToWithinTwoPercent() {
        Random random = new Random(4711);
        LatencyHistogram latencyHistogram = new LatencyHistogram();
        long[] micros = new long[10_000];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = (long) Math.exp(random.nextDouble() * 15) + 1;
            latencyHistogram.record(micros[i] * 1_000);
        }
        Arrays.sort(micros);

        assertThat(latencyHistogram.count()).isEqualTo(micros.length);
        for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
            long exact = micros[(int) Math.ceil(share * micros.length) - 1];
            assertThat(latencyHistogram.micros(share)).isCloseTo(exact, within(exact / 50 + 1));
        }
    }

    @Test
    void theShortestAndTheLongestDurationsAreCounted() {
        LatencyHistogram latencyHistogram = new LatencyHistogram();
        assertThat(latencyHistogram.micros(0.5)).isZero();
        latencyHistogram.record(1);
        assertThat(latencyHistogram.micros(0.5)).isEqualTo(1);
        latencyHistogram.record(Long.MAX_VALUE);
        assertThat(latencyHistogram.micros(1)).isCloseTo(1L << 32, Percentage.withPercentage(2));
    }
}
