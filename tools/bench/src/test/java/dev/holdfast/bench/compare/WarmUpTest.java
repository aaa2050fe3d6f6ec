package dev.holdfast.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void aWarmUpEndsWhenThroughputStopsRising() throws Exception {
        int seconds = new WarmUp(60).run(second -> Math.min(second, 40) * 100.0);

        assertThat(seconds).isBetween(36, 45);
    }

    @Test
    void aWarmUpHasALeastLengthBecauseJvmsCompileInBursts() throws Exception {
        assertThat(new WarmUp(60).run(second -> 100.0)).isEqualTo(25);
        assertThat(new WarmUp(10).run(second -> 100.0)).isEqualTo(10);
    }

    @Test
    void aWarmUpThatNeverSettlesEndsAtItsBound() throws Exception {
        assertThat(new WarmUp(20).run(second -> Math.pow(2, second))).isEqualTo(20);
    }
}
