package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.State;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lease held through an anchor lives and dies with the anchor's grant, whatever its own beat says. */
class AnchoredRulesTest {
    private static final Fence OLDER = Fence.of(ANCHOR_FENCE.value() - 1);
    private static final Request RENEW = new Request.Renew(OURS, null, AttributePatch.NONE);

    /** Requests that only a key without a live holder allows. */
    static Stream<Request> fromOthers() {
        return Stream.of(
                acquire(THEIRS),
                new Request.Delete(null),
                new Request.Delete(THEIRS),
                new Request.Reopen(),
                new Request.EvictSilent());
    }

    /** Requests that need no more than the token, or not even that. */
    static Stream<Request> regardlessOfTheAnchor() {
        return Stream.of(
                acquire(OURS),
                new Request.Release(OURS),
                new Request.Done(OURS, PATCH),
                new Request.Update(OURS, PATCH),
                new Request.Delete(OURS),
                new Request.EvictByForce());
    }

    /** Sightings of an anchor whose grant has ended. */
    static Stream<Sighting> deadAnchors() {
        return Stream.of(
                ANCHOR_ABSENT,
                live(anchorHeld().freed(version(72))),
                live(Entry.empty(ANCHOR, version(73), ANCHOR_FENCE, NOW)),
                live(anchorHeld().done(version(74), NOW, ATTRIBUTES)),
                live(anchorHeld(Fence.of(ANCHOR_FENCE.value() + 1))),
                live(anchorHeld(OLDER)));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void nothingIsDecidedBeforeTheAnchorIsSeen(Request request) {
        assertThat(decide(request, silent(heldThroughAnchor(OURS)))).isEqualTo(new Decision.Look(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void aLiveAnchorKeepsALeaseHeldThoughItsOwnBeatIsSilent(Request request) {
        Entry entry = heldThroughAnchor(OURS);

        assertThat(decide(request, silent(entry), live(anchorHeld())))
                .isEqualTo(Decision.Held.of(entry, ANCHOR_PATIENCE.minus(YOUNG)));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void aSilentAnchorIsFreedBeforeAnythingOfItIsTouched(Request request) {

        assertThat(decide(request, live(heldThroughAnchor(OURS)), silent(anchorHeld())))
                .isEqualTo(new Decision.EvictFirst(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void anAnchorThatWasNotYetGrantedWhenItWasSeenIsLookedAtAgain(Request request) {
        Sighting seen = live(heldThroughAnchor(OURS));
        Decision look = new Decision.Look(ANCHOR);

        assertThat(decide(request, seen, early(ANCHOR_ABSENT))).isEqualTo(look);
        assertThat(decide(request, seen, early(live(anchorHeld(OLDER))))).isEqualTo(look);
        assertThat(decide(RENEW, seen, early(ANCHOR_ABSENT))).isEqualTo(look);
    }

    @ParameterizedTest
    @MethodSource("deadAnchors")
    void aLeaseWhoseAnchorHasEndedIsGrantedToOthers(Sighting anchor) {
        Entry next = written(decide(acquire(THEIRS), live(heldThroughAnchor(OURS)), anchor));

        assertThat(next.isHeldBy(THEIRS)).isTrue();
        assertThat(next.heldThrough()).isNull();
        assertThat(next.fence()).isGreaterThan(FENCE);
    }

    @ParameterizedTest
    @MethodSource("deadAnchors")
    void aLeaseWhoseAnchorHasEndedIsFreedOrForgottenByOthers(Sighting anchor) {
        Sighting seen = live(heldThroughAnchor(OURS));

        assertThat(written(decide(new Request.EvictSilent(), seen, anchor)))
                .isEqualTo(heldThroughAnchor(OURS).freed(FRESH));
        assertThat(written(decide(new Request.Delete(null), seen, anchor)))
                .isEqualTo(Entry.empty(KEY, FRESH, FENCE, NOW));
        assertAlready(decide(new Request.Reopen(), seen, anchor), heldThroughAnchor(OURS));
    }

    @Test
    void aRenewalIsNotDecidedBeforeTheAnchorIsSeen() {
        assertThat(decide(RENEW, live(heldThroughAnchor(OURS)))).isEqualTo(new Decision.Look(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("deadAnchors")
    void aLeaseWhoseAnchorHasEndedCannotBeRenewed(Sighting anchor) {
        assertLost(decide(RENEW, live(heldThroughAnchor(OURS)), anchor), LostReason.EVICTED);
    }

    @Test
    void aLeaseOfAnotherIsLostWithoutALookAtItsAnchor() {
        assertLost(decide(RENEW, live(heldThroughAnchor(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aRenewalKeepsTheAnchor() {
        Entry before = heldThroughAnchor(OURS);
        Entry renewed = before.renewed(FRESH, grant(OURS, THROUGH_ANCHOR).renewed(Beat.of(FRESH), TERM), ATTRIBUTES);

        assertThat(written(decide(RENEW, live(before), live(anchorHeld())))).isEqualTo(renewed);
        assertThat(written(decide(RENEW, live(before), silent(anchorHeld())))).isEqualTo(renewed);
    }

    @ParameterizedTest
    @MethodSource("regardlessOfTheAnchor")
    void theHolderAndForceNeedNoLookAtTheAnchor(Request request) {
        Sighting seen = live(heldThroughAnchor(OURS));

        Decision unseen = decide(request, seen);

        assertThat(unseen).isInstanceOf(Decision.Write.class);
        assertThat(decide(request, seen, live(anchorHeld()))).isEqualTo(unseen);
        assertThat(decide(request, seen, silent(anchorHeld()))).isEqualTo(unseen);
    }

    @Test
    void onceFreedAKeyHasNothingToDoWithTheAnchorThatKeptIt() {
        Entry freed = stored(State.FREE, grant(OURS, THROUGH_ANCHOR));
        Entry done = stored(State.DONE, grant(OURS, THROUGH_ANCHOR));

        assertThat(written(decide(acquire(THEIRS), live(freed))).isHeldBy(THEIRS))
                .isTrue();
        assertThat(decide(acquire(THEIRS), live(done))).isEqualTo(Decision.Finished.of(done));
        assertThat(written(decide(new Request.Reopen(), live(done)))).isEqualTo(done.freed(FRESH));
    }
}
