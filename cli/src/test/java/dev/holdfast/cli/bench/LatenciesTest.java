package dev.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void percentilesAreRightToWithinTwoPercent() {
        Random random = new Random(4711);
        Latencies latencies = new Latencies();
        long[] micros = new long[10_000];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = (long) Math.exp(random.nextDouble() * 15) + 1;
            latencies.record(micros[i] * 1_000);
        }
        Arrays.sort(micros);

        assertThat(latencies.count()).isEqualTo(micros.length);
        for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
            long exact = micros[(int) Math.ceil(share * micros.length) - 1];
            assertThat(latencies.micros(share)).isCloseTo(exact, within(exact / 50 + 1));
        }
    }

    @Test
    void theShortestAndTheLongestFindTheirPlace() {
        Latencies latencies = new Latencies();
        assertThat(latencies.micros(0.5)).isZero();
        latencies.record(1);
        assertThat(latencies.micros(0.5)).isEqualTo(1);
        latencies.record(Long.MAX_VALUE);
        assertThat(latencies.micros(1)).isCloseTo(1L << 32, Percentage.withPercentage(2));
    }
}
