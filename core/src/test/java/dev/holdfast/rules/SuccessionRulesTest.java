package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import dev.holdfast.store.SizeLimits;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The courtesy to the holder that a release names. */
class SuccessionRulesTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final Holder CYD = Holder.of("cyd");
    private static final Holder DAN = Holder.of("dan");

    private static Entry released(Attributes attributes, Instant at) {
        Attributes marked = SuccessionRules.naming(attributes, CYD, at);
        return new Entry(KEY, SEEN, LeaseState.FREE, FENCE, 3, grant(OURS, null), marked, CREATED, null);
    }

    @Test
    void othersYieldUntilTheCourtesyIsOver() {
        Entry entry = released(ATTRIBUTES, NOW);

        assertThat(SuccessionRules.reservation(entry, DAN, NOW.plusSeconds(1)))
                .isEqualTo(new Decision.Reserved(CYD, Duration.ofSeconds(2)));
        assertThat(SuccessionRules.reservation(entry, DAN, NOW.plusSeconds(3))).isNull();
    }

    @Test
    void theSuccessorDoesNotYield() {
        assertThat(SuccessionRules.reservation(released(ATTRIBUTES, NOW), CYD, NOW))
                .isNull();
    }

    @Test
    void aClockThatIsBehindMakesTheCourtesyLongerByItsErrorOnly() {
        Entry entry = released(ATTRIBUTES, NOW);

        assertThat(SuccessionRules.reservation(entry, DAN, NOW.minusSeconds(2)))
                .isEqualTo(new Decision.Reserved(CYD, Duration.ofSeconds(5)));
        assertThat(SuccessionRules.reservation(entry, DAN, NOW.minusSeconds(3))).isNull();
        assertThat(SuccessionRules.reservation(entry, DAN, Instant.EPOCH)).isNull();
    }

    @Test
    void theNextGrantRemovesTheMark() {
        Entry entry = released(ATTRIBUTES, NOW);

        assertThat(SuccessionRules.withoutMark(entry.attributes())).isEqualTo(ATTRIBUTES);
    }

    @Test
    void aRequestThatDoesNotWaitDoesNotYield() {
        Entry entry = released(ATTRIBUTES, Examples.NOW);

        assertThat(written(decide(acquire(THEIRS), live(entry))).attributes().get(SuccessionRules.NEXT))
                .isEmpty();
    }

    @Test
    void aRequestThatWaitsYields() {
        Entry entry = released(ATTRIBUTES, Examples.NOW);
        LeaseRequest.Acquire waiting = acquire(THEIRS).yielding(true);

        assertThat(decide(waiting, live(entry))).isEqualTo(new Decision.Reserved(CYD, SuccessionRules.COURTESY));
        assertThat(waiting.yielding(false)).isEqualTo(acquire(THEIRS));
    }

    @Test
    void theCourtesyNeverMakesAttributesTooLarge() {
        int room = SizeLimits.ATTRIBUTES_BYTES - SizeLimits.HOLDER_BYTES - 64;
        int around = Attributes.of("a", "").encodedSize();
        Attributes fitting = Attributes.of("a", "x".repeat(room - around));
        while (fitting.encodedSize() > room) { // The length of a longer text takes more bytes.
            around++;
            fitting = Attributes.of("a", "x".repeat(room - around));
        }
        Attributes tooLarge = Attributes.of("a", "x".repeat(room - around + 1));

        assertThat(fitting.encodedSize()).isEqualTo(room);
        assertThat(SuccessionRules.naming(fitting, CYD, NOW).get(SuccessionRules.NEXT))
                .isPresent();
        assertThat(SuccessionRules.naming(tooLarge, CYD, NOW)).isEqualTo(tooLarge);
    }

    @Test
    void fullAttributesHaveNoRoomForTheCourtesy() {
        Attributes full = ATTRIBUTES;
        for (int i = full.size(); i < SizeLimits.ATTRIBUTE_COUNT; i++) {
            full = full.with("a" + i, i);
        }

        assertThat(SuccessionRules.naming(full, CYD, NOW)).isEqualTo(full);
    }
}
