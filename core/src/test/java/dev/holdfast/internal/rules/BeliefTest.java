package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.model.Term;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BeliefTest {
    private static final Term TERM = Term.ofMillis(10_000);
    // A ticker may begin anywhere, also just before it wraps around.
    private static final long TICKER_START = Long.MAX_VALUE - 5_000_000_000L;

    private final Belief belief = new Belief();

    @Test
    void aTermCountsFromTheFirstSendAndNotFromALaterOneOrTheAnswer() {
        assertThat(belief.start(at(0), at(3_000), at(4_000))).isEqualTo(at(0));
        assertThat(belief.tenure(TERM, at(0), at(3_000), at(4_000))).isEqualTo(new Tenure(at(0), TERM));
    }

    @Test
    void elapsedIsTheLargerOfTickerAndWallClock() {
        assertThat(belief.elapsed(at(0), moment(2_000, 2_000))).isEqualTo(Duration.ofSeconds(2));
        assertThat(belief.elapsed(at(0), moment(2_000, 7_000))).isEqualTo(Duration.ofSeconds(7));
        assertThat(belief.elapsed(at(0), moment(7_000, 2_000))).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aWallClockSetBackDoesNotLengthenATerm() {
        assertThat(belief.elapsed(at(0), moment(2_000, -60_000))).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aTickerThatWrapsAroundGoesOnCounting() {
        assertThat(belief.elapsed(at(0), moment(8_000, 0))).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void nothingRemainsAtTheEndOfTheTermAndAfterIt() {
        Tenure tenure = new Tenure(at(0), TERM);

        assertThat(belief.remaining(tenure, at(0))).isEqualTo(Duration.ofSeconds(10));
        assertThat(belief.remaining(tenure, at(9_999))).isEqualTo(Duration.ofMillis(1));
        assertThat(belief.remaining(tenure, at(10_000))).isZero();
        assertThat(belief.remaining(tenure, at(60_000))).isZero();
    }

    @Test
    void aSleepThatStoppedTheTickerEndsTheTerm() {
        assertThat(belief.remaining(new Tenure(at(0), TERM), moment(1, 10_000))).isZero();
    }

    @Test
    void anAnchoredLeaseHasWhatIsLeftOfItsAnchorsTermWhateverItsOwn() {
        Tenure ended = new Tenure(at(0), Term.ofMillis(1));
        Tenure longer = new Tenure(at(0), Term.ofMillis(60_000));
        Tenure anchor = new Tenure(at(2_000), TERM);

        assertThat(belief.remaining(ended, anchor, at(5_000))).isEqualTo(Duration.ofSeconds(7));
        assertThat(belief.remaining(longer, anchor, at(5_000))).isEqualTo(Duration.ofSeconds(7));
        assertThat(belief.remaining(longer, anchor, at(12_000))).isZero();
    }

    @Test
    void aLeaseWithoutAnAnchorHasWhatIsLeftOfItsOwnTerm() {
        assertThat(belief.remaining(new Tenure(at(0), TERM), null, at(4_000))).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void theHolderGivesUpBeforeAnyoneMayTakeOver() {
        Duration patience = new Silence(Duration.ZERO).patience(Examples.TERM);

        Tenure tenure = belief.tenure(Examples.TERM, at(0), at(0), at(0));

        assertThat(patience).isGreaterThan(Examples.TERM.duration());
        assertThat(belief.remaining(tenure, at(patience.toMillis()))).isZero();
    }

    @Test
    void anAnswerAtTheDeadlineComesTooLate() {
        assertThat(belief.inTime(99, 100)).isTrue();
        assertThat(belief.inTime(100, 100)).isFalse();
        assertThat(belief.inTime(101, 100)).isFalse();
        assertThat(belief.inTime(Long.MAX_VALUE, Long.MIN_VALUE + 5)).isTrue();
        assertThat(belief.inTime(Long.MIN_VALUE + 5, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void onlyWhatWasAskedAfterTheRequestBeganMayRefuseIt() {
        assertThat(belief.mayRefuse(5, 4)).isFalse();
        assertThat(belief.mayRefuse(5, 5)).isFalse();
        assertThat(belief.mayRefuse(5, 6)).isTrue();
    }

    private static Moment at(long millis) {
        return moment(millis, millis);
    }

    private static Moment moment(long tickerMillis, long wallMillis) {
        return new Moment(TICKER_START + tickerMillis * 1_000_000, NOW.plusMillis(wallMillis));
    }
}
