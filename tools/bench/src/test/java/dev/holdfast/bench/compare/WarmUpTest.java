package dev.holdfast.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void aWarmUpEndsWhenThroughputStopsRising() throws Exception {
        int seconds = new WarmUp(60).run(second -> Math.min(second, 5) * 100.0);

        assertThat(seconds).isBetween(6, 12);
    }

    @Test
    void aWarmUpThatNeverSettlesEndsAtItsBound() throws Exception {
        assertThat(new WarmUp(20).run(second -> Math.pow(2, second))).isEqualTo(20);
    }
}
