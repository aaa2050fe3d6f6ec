package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExpiryRulesTest {
    private static final Duration NANO = Duration.ofNanos(1);

    private final ExpiryRules expiryRules = new ExpiryRules(STEP);

    @Test
    void patienceIsTheTermAThousandthOfItAndTheStep() {
        assertThat(patience(Duration.ofMillis(500), Term.ofMillis(10_000))).isEqualTo(Duration.ofMillis(10_510));
        assertThat(patience(Duration.ZERO, Term.ofMillis(10_000))).isEqualTo(Duration.ofMillis(10_010));
        assertThat(patience(Duration.ZERO, Term.ofMillis(1))).isEqualTo(Duration.ofNanos(1_001_000));
        assertThat(patience(Duration.ofSeconds(1), Term.of(Duration.ofDays(7))))
                .isEqualTo(Duration.ofDays(7).plusMillis(604_800 + 1_000));
    }

    @Test
    void aLeaseExpiresWhenItsBeatIsAsOldAsPatienceLastsAndNotBefore() {
        Entry entry = held(THEIRS);

        assertThat(standing(entry, seen(entry, PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(standing(entry, seen(entry, PATIENCE))).isEqualTo(EntryStanding.of(EntryStanding.Kind.SILENT));
        assertThat(standing(entry, seen(entry, PATIENCE.plus(NANO))))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.SILENT));
    }

    @Test
    void theTimeSinceTheAnswerAddsToTheAge() {
        Entry entry = held(THEIRS);
        Duration sinceAnswer = Duration.ofSeconds(3);

        assertThat(standing(entry, byAge(entry, PATIENCE.minus(sinceAnswer).minus(NANO), sinceAnswer)))
                .isEqualTo(heldFor(NANO));
        assertThat(standing(entry, byAge(entry, PATIENCE.minus(sinceAnswer), sinceAnswer))
                        .kind())
                .isEqualTo(EntryStanding.Kind.SILENT);
    }

    @Test
    void theTimeObservedByTheClientCountsToo() {
        Entry entry = held(THEIRS);
        ObservedEntry watched = observed(entry, YOUNG, Duration.ZERO, YOUNG.plusSeconds(1));

        assertThat(standing(entry, watched))
                .isEqualTo(heldFor(PATIENCE.minus(YOUNG).minusSeconds(1)));
    }

    @Test
    void withoutAnAgeTheClientMustObserveAnUnchangedBeat() {
        Entry entry = held(THEIRS);

        assertThat(standing(entry, byObservation(entry, Duration.ZERO))).isEqualTo(heldFor(PATIENCE));
        assertThat(standing(entry, byObservation(entry, PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(standing(entry, byObservation(entry, PATIENCE)))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.SILENT));
    }

    @Test
    void withoutAnAgeTheTimeSinceTheLastAnswerDoesNotCountTwice() {
        Entry entry = held(THEIRS);
        ObservedEntry seen = observed(entry, null, Duration.ofHours(1), YOUNG);

        assertThat(standing(entry, seen)).isEqualTo(heldFor(PATIENCE.minus(YOUNG)));
    }

    @Test
    void afterTheClockOfTheStoreSteppedBackObservationDecides() {
        Entry entry = held(THEIRS);
        Duration negative = Duration.ofHours(-1);

        assertThat(standing(entry, seen(entry, negative))).isEqualTo(heldFor(PATIENCE));
        assertThat(standing(entry, observed(entry, negative, Duration.ZERO, PATIENCE)))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.SILENT));
    }

    @Test
    void anEntryThatIsNotHeldStandsAsStored() {
        assertThat(standing(freed(THEIRS), live(freed(THEIRS)))).isEqualTo(EntryStanding.of(EntryStanding.Kind.FREE));
        assertThat(standing(deleted(), expired(deleted()))).isEqualTo(EntryStanding.of(EntryStanding.Kind.FREE));
        assertThat(standing(done(THEIRS), expired(done(THEIRS)))).isEqualTo(EntryStanding.of(EntryStanding.Kind.DONE));
    }

    @Test
    void anEntryThatIsNotHeldStandsAsStoredEvenIfItOnceHadAnAnchor() {
        Entry freed = stored(LeaseState.FREE, grant(OURS, THROUGH_ANCHOR));

        assertThat(standing(freed, live(freed))).isEqualTo(EntryStanding.of(EntryStanding.Kind.FREE));
    }

    @Test
    void anAnchoredLeaseIsUndecidedUntilItsAnchorIsSeen() {
        assertThat(anchored(null)).isEqualTo(EntryStanding.of(EntryStanding.Kind.ANCHOR_UNSEEN));
    }

    @Test
    void anAnchoredLeaseIsOrphanedWhenTheGrantOfItsAnchorHasEnded() {
        EntryStanding orphaned = EntryStanding.of(EntryStanding.Kind.ORPHANED);

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
        EntryStanding unseen = EntryStanding.of(EntryStanding.Kind.ANCHOR_UNSEEN);
        Entry older = anchorHeld(Fence.of(ANCHOR_FENCE.value() - 1));

        assertThat(anchored(early(ANCHOR_ABSENT))).isEqualTo(unseen);
        assertThat(anchored(early(live(older)))).isEqualTo(unseen);
        assertThat(anchored(early(live(older.freed(version(72)))))).isEqualTo(unseen);
    }

    @Test
    void anEndedGrantOfAnAnchorStaysEndedWheneverItWasSeen() {
        EntryStanding orphaned = EntryStanding.of(EntryStanding.Kind.ORPHANED);

        assertThat(anchored(early(live(anchorHeld().freed(version(72)))))).isEqualTo(orphaned);
        assertThat(anchored(early(live(anchorHeld(Fence.of(ANCHOR_FENCE.value() + 1))))))
                .isEqualTo(orphaned);
    }

    @Test
    void anAnchoredLeaseIsHeldForAsLongAsItsAnchor() {
        Entry anchor = anchorHeld();

        assertThat(anchored(seen(anchor, ANCHOR_PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(anchored(seen(anchor, ANCHOR_PATIENCE)))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.ANCHOR_SILENT));
        assertThat(anchored(byObservation(anchor, ANCHOR_PATIENCE.minus(NANO)))).isEqualTo(heldFor(NANO));
        assertThat(anchored(byObservation(anchor, ANCHOR_PATIENCE)))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.ANCHOR_SILENT));
    }

    @Test
    void theLongestTermDoesNotOverflow() {
        Term longest = Term.of(Duration.ofDays(7));

        assertThatNoException().isThrownBy(() -> patience(Duration.ofDays(365), longest));
    }

    private static Duration patience(Duration step, Term term) {
        return new ExpiryRules(step).patience(term);
    }

    private static EntryStanding heldFor(Duration left) {
        return new EntryStanding(EntryStanding.Kind.HELD, left);
    }

    private static ObservedEntry byAge(Entry entry, Duration age, Duration sinceAnswer) {
        return observed(entry, age, sinceAnswer, Duration.ZERO);
    }

    private static ObservedEntry byObservation(Entry entry, Duration sinceFirstSeen) {
        return observed(entry, null, Duration.ZERO, sinceFirstSeen);
    }

    private EntryStanding standing(Entry entry, ObservedEntry seen) {
        return expiryRules.standing(entry, seen, null, Examples.CLOCK);
    }

    /** The standing of an anchored lease with a very old beat of its own: that must not matter. */
    private EntryStanding anchored(@Nullable ObservedEntry anchor) {
        Entry entry = heldThroughAnchor(OURS);
        return expiryRules.standing(entry, expired(entry), anchor, Examples.CLOCK);
    }
}
