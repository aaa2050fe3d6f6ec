package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TermTest {
    @Test
    void aTermIsLongerThanZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Term.of(Duration.ZERO))
                .withMessage("term: PT0S (expected: > PT0S and <= P7D)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Term.ofMillis(-1_000))
                .withMessage("term: PT-1S (expected: > PT0S and <= P7D)");
    }

    @Test
    void aTermIsNoLongerThanAWeek() {
        assertThat(Term.of(Duration.ofDays(7)).duration()).isEqualTo(Duration.ofDays(7));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Term.of(Duration.ofDays(7).plusMillis(1)))
                .withMessage("term: PT168H0.001S (expected: > PT0S and <= P7D)");
        assertThatIllegalArgumentException().isThrownBy(() -> Term.of(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void aTermIsWholeMilliseconds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Term.of(Duration.ofNanos(1)))
                .withMessage("term: PT0.000000001S (expected: whole milliseconds)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Term.of(Duration.ofSeconds(1).plusNanos(999_999)))
                .withMessage("term: PT1.000999999S (expected: whole milliseconds)");
    }

    @Test
    @SuppressWarnings("NullAway") // Callers are not all checked.
    void nullIsRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> Term.of(null)).withMessage("term");
    }

    @Test
    void aTermIsItsDuration() {
        assertThat(Term.ofMillis(1)).isEqualTo(Term.of(Duration.ofMillis(1)));
        assertThat(Term.ofMillis(1_500).toNanos()).isEqualTo(1_500_000_000L);
        assertThat(Term.ofMillis(1_500)).hasToString("PT1.5S");
    }
}
