package dev.holdfast.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The tests that the mutants of {@link SampleGauge} run against. */
class SampleGaugeTest {
    @Test
    void aDoubledValueIsTwiceTheValue() {
        assertThat(new SampleGauge().doubled(3)).isEqualTo(6);
    }

    @Test
    void theLargerOfTwoIsFound() {
        assertThat(new SampleGauge().larger(1, 2)).isEqualTo(2);
        assertThat(new SampleGauge().larger(2, 1)).isEqualTo(2);
        assertThat(new SampleGauge().larger(2, 2)).isEqualTo(2);
    }

    @Test
    void theNextMultipleOfThreeIsFound() {
        assertThat(new SampleGauge().next(4)).isEqualTo(6);
    }
}
