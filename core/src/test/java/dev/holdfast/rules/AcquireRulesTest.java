package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.Term;
import org.junit.jupiter.api.Test;

class AcquireRulesTest {
    private static final Fence BY_TIME = Fence.of(FenceRules.micros(NOW));

    @Test
    void aHeldKeyIsRefusedAndTheRefusalSaysForHowLong() {
        Entry entry = held(THEIRS);

        assertThat(decide(acquire(OURS), live(entry))).isEqualTo(Decision.Held.of(entry, PATIENCE.minus(YOUNG)));
    }

    @Test
    void aDoneKeyIsRefusedHoweverOldItsBeatIs() {
        Entry entry = done(THEIRS);

        assertThat(decide(acquire(OURS), live(entry))).isEqualTo(Decision.Finished.of(entry));
        assertThat(decide(acquire(OURS), expired(entry))).isEqualTo(Decision.Finished.of(entry));
    }

    @Test
    void aDoneKeyIsRefusedEvenToTheTokenThatFinishedIt() {
        Entry entry = done(OURS);

        assertThat(decide(acquire(OURS), live(entry))).isEqualTo(Decision.Finished.of(entry));
    }

    @Test
    void attributesBeyondTheLimitsAreNotGranted() {
        String half = "x".repeat(SizeLimits.ATTRIBUTES_BYTES / 2);
        Entry entry = freed(THEIRS).withAttributes(SEEN, Attributes.of("there", half));
        LeaseRequest.Acquire request =
                new LeaseRequest.Acquire(OURS, US, TERM, AttributePatch.putting("more", half), null);

        assertThatIllegalArgumentException().isThrownBy(() -> decide(request, live(entry)));
    }

    @Test
    void anAbsentKeyIsInserted() {
        Change change = change(decide(acquire(OURS), ABSENT));

        Grant grant = new Grant(OURS, US, Term.ofMillis(5_000), Beat.of(FRESH), NOW, null);
        Attributes attributes = Attributes.of("a", "new");
        assertThat(change)
                .isEqualTo(Change.insert(
                        new Entry(KEY, FRESH, LeaseState.HELD, BY_TIME, 1, grant, attributes, NOW, null)));
    }

    @Test
    void aKeyOfWhichNothingIsKnownIsGuessedToBeAbsent() {
        assertThat(decide(acquire(OURS), null)).isEqualTo(decide(acquire(OURS), ABSENT));
        assertThat(decide(acquire(OURS), null, live(anchorHeld()))).isEqualTo(decide(acquire(OURS), null));
    }

    @Test
    void anAbsentKeyIsGrantedAboveTheFloor() {
        Fence floor = Fence.of(BY_TIME.value() + 10);
        WriteStamp writeStamp = Examples.stamp(FRESH, NOW, floor);

        Change change = change(RULES.decisions().decide(KEY, acquire(OURS), ABSENT, null, writeStamp));

        assertThat(change.next()).extracting(Entry::fence).isEqualTo(Fence.of(floor.value() + 1));
    }

    @Test
    void aFreeKeyIsGranted() {
        Entry next = written(decide(acquire(OURS), live(freed(THEIRS))));

        Grant grant = new Grant(OURS, US, Term.ofMillis(5_000), Beat.of(FRESH), NOW, null);
        assertThat(next).isEqualTo(new Entry(KEY, FRESH, LeaseState.HELD, BY_TIME, 4, grant, PATCHED, CREATED, null));
    }

    @Test
    void aDeletedKeyIsGranted() {
        Entry next = written(decide(acquire(OURS), live(deleted())));

        assertThat(next.isHeldBy(OURS)).isTrue();
        assertThat(next.grants()).isEqualTo(1);
        assertThat(next.fence()).isEqualTo(BY_TIME);
    }

    @Test
    void attributesThatAreOnlyForANewKeyLeaveAnOldOneAsItIs() {
        LeaseRequest.Acquire request = new LeaseRequest.Acquire(OURS, US, TERM, PATCH, null, true);

        assertThat(written(decide(request, live(freed(THEIRS)))).attributes()).isEqualTo(ATTRIBUTES);
        assertThat(written(decide(request, expired(held(THEIRS)))).attributes()).isEqualTo(ATTRIBUTES);
        assertThat(written(decide(request, live(deleted()))).attributes()).isEqualTo(Attributes.of("a", "new"));
        assertThat(change(decide(request, ABSENT)).next())
                .extracting(Entry::attributes)
                .isEqualTo(Attributes.of("a", "new"));
    }

    @Test
    void anExpiredHolderIsReplaced() {
        Entry next = written(decide(acquire(OURS), expired(held(THEIRS))));

        assertThat(next)
                .isEqualTo(Examples.recorded(written(decide(acquire(OURS), live(freed(THEIRS)))), GrantEnd.EXPIRED));
    }

    @Test
    void aRepeatedAcquireBeginsTheTermAnewAndChangesNothingElse() {
        Entry before = held(OURS);

        Entry next = written(decide(acquire(OURS), live(before)));

        assertThat(next).isEqualTo(before.renewed(FRESH, grant(OURS, null).renewed(Beat.of(FRESH), TERM), ATTRIBUTES));
    }

    @Test
    void aRepeatedAcquireStillFindsItsGrantAfterExpiry() {
        Entry next = written(decide(acquire(OURS), expired(held(OURS))));

        assertThat(next.fence()).isEqualTo(FENCE);
        assertThat(next.grants()).isEqualTo(3);
    }

    @Test
    void aTokenWhoseGrantHasEndedIsGrantedAnewWithAHigherFence() {
        Entry next = written(decide(acquire(OURS), live(freed(OURS))));

        assertThat(next.isHeldBy(OURS)).isTrue();
        assertThat(next.fence()).isGreaterThan(FENCE);
        assertThat(next.grants()).isEqualTo(4);
    }

    @Test
    void anAnchoredGrantNamesItsAnchor() {
        LeaseRequest.Acquire request = new LeaseRequest.Acquire(OURS, US, TERM, AttributePatch.NONE, THROUGH_ANCHOR);

        assertThat(written(decide(request, live(freed(THEIRS)))).heldThrough()).isEqualTo(THROUGH_ANCHOR);
    }
}
