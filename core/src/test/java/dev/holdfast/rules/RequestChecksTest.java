package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestChecksTest {
    private static final Holder WORKER = Holder.of("worker-7");
    private static final Key ITS_ANCHOR = Key.ofAnchor(WORKER);

    @Test
    void aWaitIsCountedInNanosecondsAndNeverNegative() {
        assertThat(RequestChecks.waitNanos(Duration.ZERO)).isZero();
        assertThat(RequestChecks.waitNanos(Duration.ofMillis(3))).isEqualTo(3_000_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestChecks.waitNanos(Duration.ofNanos(-1)))
                .withMessage("wait: PT-0.000000001S (expected: >= PT0S)");
    }

    @Test
    void noHolderAcquiresTheAnchorOfAnother() {
        assertThatCode(() -> RequestChecks.requireNotReserved(ITS_ANCHOR, WORKER))
                .doesNotThrowAnyException();
        assertThatCode(() -> RequestChecks.requireNotReserved(Key.of("jobs", "nightly"), WORKER))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestChecks.requireNotReserved(ITS_ANCHOR, Holder.of("worker-8")))
                .withMessageContaining("reserved for Holdfast");
    }

    @Test
    void anAnchorIsNeverDone() {
        assertThatCode(() -> RequestChecks.requireMayBeDone(Key.of("jobs", "nightly")))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestChecks.requireMayBeDone(ITS_ANCHOR))
                .withMessageContaining("an anchor is never done");
    }
}
