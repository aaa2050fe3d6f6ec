package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.store.Term;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ValidityRulesTest {
    private static final Term TERM = Term.ofMillis(10_000);
    // A ticker may start at any value, also just before it wraps around.
    private static final long TICKER_START = Long.MAX_VALUE - 5_000_000_000L;

    private final ValidityRules validityRules = new ValidityRules();

    @Test
    void aTermCountsFromTheFirstSendAndNotFromALaterOneOrTheAnswer() {
        assertThat(validityRules.start(at(0), at(3_000), at(4_000))).isEqualTo(at(0));
        assertThat(validityRules.tenure(TERM, at(0), at(3_000), at(4_000))).isEqualTo(new Tenure(at(0), TERM));
    }

    @Test
    void elapsedIsTheLargerOfTickerAndWallClock() {
        assertThat(validityRules.elapsed(at(0), moment(2_000, 2_000))).isEqualTo(Duration.ofSeconds(2));
        assertThat(validityRules.elapsed(at(0), moment(2_000, 7_000))).isEqualTo(Duration.ofSeconds(7));
        assertThat(validityRules.elapsed(at(0), moment(7_000, 2_000))).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aWallClockSetBackDoesNotLengthenATerm() {
        assertThat(validityRules.elapsed(at(0), moment(2_000, -60_000))).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aTickerThatWrapsAroundGoesOnCounting() {
        assertThat(validityRules.elapsed(at(0), moment(8_000, 0))).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void nothingRemainsAtTheEndOfTheTermAndAfterIt() {
        Tenure tenure = new Tenure(at(0), TERM);

        assertThat(validityRules.remaining(tenure, at(0))).isEqualTo(Duration.ofSeconds(10));
        assertThat(validityRules.remaining(tenure, at(9_999))).isEqualTo(Duration.ofMillis(1));
        assertThat(validityRules.remaining(tenure, at(10_000))).isZero();
        assertThat(validityRules.remaining(tenure, at(60_000))).isZero();
    }

    @Test
    void aSleepThatStoppedTheTickerEndsTheTerm() {
        assertThat(validityRules.remaining(new Tenure(at(0), TERM), moment(1, 10_000)))
                .isZero();
    }

    @Test
    void anAnchoredLeaseHasTheRestOfItsAnchorsTermRegardlessOfItsOwn() {
        Tenure ended = new Tenure(at(0), Term.ofMillis(1));
        Tenure longer = new Tenure(at(0), Term.ofMillis(60_000));
        Tenure anchor = new Tenure(at(2_000), TERM);

        assertThat(validityRules.remaining(ended, anchor, at(5_000))).isEqualTo(Duration.ofSeconds(7));
        assertThat(validityRules.remaining(longer, anchor, at(5_000))).isEqualTo(Duration.ofSeconds(7));
        assertThat(validityRules.remaining(longer, anchor, at(12_000))).isZero();
    }

    @Test
    void aLeaseWithoutAnAnchorHasTheRestOfItsOwnTerm() {
        assertThat(validityRules.remaining(new Tenure(at(0), TERM), null, at(4_000)))
                .isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void theHolderStopsBeforeOthersMayTakeOver() {
        Duration patience = new ExpiryRules(Duration.ZERO).patience(Examples.TERM);

        Tenure tenure = validityRules.tenure(Examples.TERM, at(0), at(0), at(0));

        assertThat(patience).isGreaterThan(Examples.TERM.duration());
        assertThat(validityRules.remaining(tenure, at(patience.toMillis()))).isZero();
    }

    @Test
    void anAnswerAtTheDeadlineComesTooLate() {
        assertThat(validityRules.inTime(99, 100)).isTrue();
        assertThat(validityRules.inTime(100, 100)).isFalse();
        assertThat(validityRules.inTime(101, 100)).isFalse();
        assertThat(validityRules.inTime(Long.MAX_VALUE, Long.MIN_VALUE + 5)).isTrue();
        assertThat(validityRules.inTime(Long.MIN_VALUE + 5, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void onlyAnswersToQuestionsSentAfterTheRequestBeganMayRefuseIt() {
        assertThat(validityRules.mayRefuse(5, 4)).isFalse();
        assertThat(validityRules.mayRefuse(5, 5)).isFalse();
        assertThat(validityRules.mayRefuse(5, 6)).isTrue();
    }

    private static ClockReading at(long millis) {
        return moment(millis, millis);
    }

    private static ClockReading moment(long tickerMillis, long wallMillis) {
        return new ClockReading(TICKER_START + tickerMillis * 1_000_000, NOW.plusMillis(wallMillis));
    }
}
