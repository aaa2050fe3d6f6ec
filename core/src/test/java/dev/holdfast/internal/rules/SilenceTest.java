package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final Duration NANO = Duration.ofNanos(1);

    private final Silence silence = new Silence(STEP);

    @Test
    void patienceIsTheTermAThousandthOfItAndTheStep() {
        assertThat(patience(Duration.ofMillis(500), Term.ofMillis(10_000))).isEqualTo(Duration.ofMillis(10_510));
        assertThat(patience(Duration.ZERO, Term.ofMillis(10_000))).isEqualTo(Duration.ofMillis(10_010));
        assertThat(patience(Duration.ZERO, Term.ofMillis(1))).isEqualTo(Duration.ofNanos(1_001_000));
        assertThat(patience(Duration.ofSeconds(1), Term.of(Duration.ofDays(7))))
                .isEqualTo(Duration.ofDays(7).plusMillis(604_800 + 1_000));
    }

    @Test
    void aHolderIsSilentWhenItsBeatIsAsOldAsPatienceLastsAndNotBefore() {
        Entry entry = held(THEIRS);

        assertThat(standing(entry, seen(entry, PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(standing(entry, seen(entry, PATIENCE))).isEqualTo(Standing.of(Standing.Kind.SILENT));
        assertThat(standing(entry, seen(entry, PATIENCE.plus(NANO)))).isEqualTo(Standing.of(Standing.Kind.SILENT));
    }

    @Test
    void theTimeSinceTheAnswerAddsToTheAge() {
        Entry entry = held(THEIRS);
        Duration sinceAnswer = Duration.ofSeconds(3);

        assertThat(standing(entry, byAge(entry, PATIENCE.minus(sinceAnswer).minus(NANO), sinceAnswer)))
                .isEqualTo(heldFor(NANO));
        assertThat(standing(entry, byAge(entry, PATIENCE.minus(sinceAnswer), sinceAnswer))
                        .kind())
                .isEqualTo(Standing.Kind.SILENT);
    }

    @Test
    void whatWeHaveWatchedOurselvesCountsToo() {
        Entry entry = held(THEIRS);
        Sighting watched = sighting(entry, YOUNG, Duration.ZERO, YOUNG.plusSeconds(1));

        assertThat(standing(entry, watched))
                .isEqualTo(heldFor(PATIENCE.minus(YOUNG).minusSeconds(1)));
    }

    @Test
    void withoutAnAgeABeatMustStandStillBeforeOurEyes() {
        Entry entry = held(THEIRS);

        assertThat(standing(entry, byObservation(entry, Duration.ZERO))).isEqualTo(heldFor(PATIENCE));
        assertThat(standing(entry, byObservation(entry, PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(standing(entry, byObservation(entry, PATIENCE))).isEqualTo(Standing.of(Standing.Kind.SILENT));
    }

    @Test
    void withoutAnAgeTheTimeSinceTheLastAnswerDoesNotCountTwice() {
        Entry entry = held(THEIRS);
        Sighting seen = sighting(entry, null, Duration.ofHours(1), YOUNG);

        assertThat(standing(entry, seen)).isEqualTo(heldFor(PATIENCE.minus(YOUNG)));
    }

    @Test
    void aStoreWhoseClockSteppedBackMakesUsWatchForOurselves() {
        Entry entry = held(THEIRS);
        Duration negative = Duration.ofHours(-1);

        assertThat(standing(entry, seen(entry, negative))).isEqualTo(heldFor(PATIENCE));
        assertThat(standing(entry, sighting(entry, negative, Duration.ZERO, PATIENCE)))
                .isEqualTo(Standing.of(Standing.Kind.SILENT));
    }

    @Test
    void whatIsNotHeldStandsAsStored() {
        assertThat(standing(freed(THEIRS), live(freed(THEIRS)))).isEqualTo(Standing.of(Standing.Kind.FREE));
        assertThat(standing(deleted(), silent(deleted()))).isEqualTo(Standing.of(Standing.Kind.FREE));
        assertThat(standing(done(THEIRS), silent(done(THEIRS)))).isEqualTo(Standing.of(Standing.Kind.DONE));
    }

    @Test
    void whatIsNotHeldStandsAsStoredThoughItOnceHadAnAnchor() {
        Entry freed = stored(State.FREE, grant(OURS, THROUGH_ANCHOR));

        assertThat(standing(freed, live(freed))).isEqualTo(Standing.of(Standing.Kind.FREE));
    }

    @Test
    void anAnchoredLeaseIsInTheBalanceUntilItsAnchorIsSeen() {
        assertThat(anchored(null)).isEqualTo(Standing.of(Standing.Kind.ANCHOR_UNSEEN));
    }

    @Test
    void anAnchoredLeaseIsOrphanedWhenTheGrantOfItsAnchorHasEnded() {
        Standing orphaned = Standing.of(Standing.Kind.ORPHANED);

        assertThat(anchored(ANCHOR_ABSENT)).isEqualTo(orphaned);
        assertThat(anchored(live(anchorHeld().freed(version(72))))).isEqualTo(orphaned);
        assertThat(anchored(live(anchorHeld().done(version(72), NOW, ATTRIBUTES))))
                .isEqualTo(orphaned);
        assertThat(anchored(live(anchorHeld(Fence.of(ANCHOR_FENCE.value() + 1)))))
                .isEqualTo(orphaned);
        assertThat(anchored(live(anchorHeld(Fence.of(ANCHOR_FENCE.value() - 1)))))
                .isEqualTo(orphaned);
    }

    @Test
    void anAnchorSeenBeforeItsGrantSaysNothingOfALeaseSeenAfterwards() {
        Standing unseen = Standing.of(Standing.Kind.ANCHOR_UNSEEN);
        Entry older = anchorHeld(Fence.of(ANCHOR_FENCE.value() - 1));

        assertThat(anchored(early(ANCHOR_ABSENT))).isEqualTo(unseen);
        assertThat(anchored(early(live(older)))).isEqualTo(unseen);
        assertThat(anchored(early(live(older.freed(version(72)))))).isEqualTo(unseen);
    }

    @Test
    void aGrantOfAnAnchorThatWasSeenToHaveEndedIsDeadWheneverItWasSeen() {
        Standing orphaned = Standing.of(Standing.Kind.ORPHANED);

        assertThat(anchored(early(live(anchorHeld().freed(version(72)))))).isEqualTo(orphaned);
        assertThat(anchored(early(live(anchorHeld(Fence.of(ANCHOR_FENCE.value() + 1))))))
                .isEqualTo(orphaned);
    }

    @Test
    void anAnchoredLeaseIsHeldForAsLongAsItsAnchor() {
        Entry anchor = anchorHeld();

        assertThat(anchored(seen(anchor, ANCHOR_PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(anchored(seen(anchor, ANCHOR_PATIENCE))).isEqualTo(Standing.of(Standing.Kind.ANCHOR_SILENT));
        assertThat(anchored(byObservation(anchor, ANCHOR_PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(anchored(byObservation(anchor, ANCHOR_PATIENCE)))
                .isEqualTo(Standing.of(Standing.Kind.ANCHOR_SILENT));
    }

    @Test
    void theLongestTermDoesNotOverflow() {
        Term longest = Term.of(Duration.ofDays(7));

        assertThatNoException().isThrownBy(() -> patience(Duration.ofDays(365), longest));
    }

    private static Duration patience(Duration step, Term term) {
        return new Silence(step).patience(term);
    }

    private static Standing heldFor(Duration left) {
        return new Standing(Standing.Kind.HELD, left);
    }

    private static Sighting byAge(Entry entry, Duration age, Duration sinceAnswer) {
        return sighting(entry, age, sinceAnswer, Duration.ZERO);
    }

    private static Sighting byObservation(Entry entry, Duration sinceFirstSeen) {
        return sighting(entry, null, Duration.ZERO, sinceFirstSeen);
    }

    private Standing standing(Entry entry, Sighting seen) {
        return silence.standing(entry, seen, null, NOW);
    }

    /** How a lease stands whose own beat was silent long ago: that must not matter. */
    private Standing anchored(@Nullable Sighting anchor) {
        Entry entry = heldThroughAnchor(OURS);
        return silence.standing(entry, silent(entry), anchor, NOW);
    }
}
