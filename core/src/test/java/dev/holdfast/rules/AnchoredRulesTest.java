package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lease held through an anchor lasts as long as the anchor's grant, regardless of its own beat. */
class AnchoredRulesTest {
    private static final Fence OLDER = Fence.of(ANCHOR_FENCE.value() - 1);
    private static final LeaseRequest RENEW = new LeaseRequest.Renew(OURS, null, AttributePatch.NONE);

    /** Requests that need a key without a live holder. */
    static Stream<LeaseRequest> fromOthers() {
        return Stream.of(
                acquire(THEIRS),
                new LeaseRequest.Delete(null),
                new LeaseRequest.Delete(THEIRS),
                new LeaseRequest.Reopen(),
                new LeaseRequest.EvictExpired());
    }

    /** Requests that need no more than the token, or not even that. */
    static Stream<LeaseRequest> regardlessOfTheAnchor() {
        return Stream.of(
                acquire(OURS),
                new LeaseRequest.Release(OURS),
                new LeaseRequest.Done(OURS, PATCH),
                new LeaseRequest.Update(OURS, PATCH),
                new LeaseRequest.Delete(OURS),
                Examples.EVICT_BY_FORCE);
    }

    /** Answers about an anchor that show that its grant has ended. */
    static Stream<ObservedEntry> deadAnchors() {
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
    void nothingIsDecidedBeforeTheAnchorIsSeen(LeaseRequest leaseRequest) {
        assertThat(decide(leaseRequest, expired(heldThroughAnchor(OURS)))).isEqualTo(new Decision.ReadFirst(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void aLiveAnchorKeepsALeaseHeldDespiteItsOwnOldBeat(LeaseRequest leaseRequest) {
        Entry entry = heldThroughAnchor(OURS);

        assertThat(decide(leaseRequest, expired(entry), live(anchorHeld())))
                .isEqualTo(Decision.Held.of(entry, ANCHOR_PATIENCE.minus(YOUNG)));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void anExpiredAnchorIsFreedBeforeAnyOfItsLeasesIsTouched(LeaseRequest leaseRequest) {

        assertThat(decide(leaseRequest, live(heldThroughAnchor(OURS)), expired(anchorHeld())))
                .isEqualTo(new Decision.EvictFirst(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("fromOthers")
    void anAnchorThatWasReadBeforeItsGrantIsReadAgain(LeaseRequest leaseRequest) {
        ObservedEntry seen = live(heldThroughAnchor(OURS));
        Decision readAnchor = new Decision.ReadFirst(ANCHOR);

        assertThat(decide(leaseRequest, seen, early(ANCHOR_ABSENT))).isEqualTo(readAnchor);
        assertThat(decide(leaseRequest, seen, early(live(anchorHeld(OLDER))))).isEqualTo(readAnchor);
        assertThat(decide(RENEW, seen, early(ANCHOR_ABSENT))).isEqualTo(readAnchor);
    }

    @ParameterizedTest
    @MethodSource("deadAnchors")
    void aLeaseWhoseAnchorHasEndedIsGrantedToOthers(ObservedEntry anchor) {
        Entry next = written(decide(acquire(THEIRS), live(heldThroughAnchor(OURS)), anchor));

        assertThat(next.isHeldBy(THEIRS)).isTrue();
        assertThat(next.heldThrough()).isNull();
        assertThat(next.fence()).isGreaterThan(FENCE);
    }

    @ParameterizedTest
    @MethodSource("deadAnchors")
    void aLeaseWhoseAnchorHasEndedIsFreedOrDeletedByOthers(ObservedEntry anchor) {
        ObservedEntry seen = live(heldThroughAnchor(OURS));

        assertThat(written(decide(new LeaseRequest.EvictExpired(), seen, anchor)))
                .isEqualTo(Examples.recorded(heldThroughAnchor(OURS).freed(FRESH), GrantEnd.ORPHANED));
        assertThat(written(decide(new LeaseRequest.Delete(null), seen, anchor)))
                .isEqualTo(Entry.empty(KEY, FRESH, FENCE, NOW));
        assertAlready(decide(new LeaseRequest.Reopen(), seen, anchor), heldThroughAnchor(OURS));
    }

    @Test
    void aRenewalIsNotDecidedBeforeTheAnchorIsSeen() {
        assertThat(decide(RENEW, live(heldThroughAnchor(OURS)))).isEqualTo(new Decision.ReadFirst(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("deadAnchors")
    void aLeaseWhoseAnchorHasEndedCannotBeRenewed(ObservedEntry anchor) {
        assertLost(decide(RENEW, live(heldThroughAnchor(OURS)), anchor), LostReason.EVICTED);
    }

    @Test
    void aLeaseOfAnotherIsLostWithoutReadingItsAnchor() {
        assertLost(decide(RENEW, live(heldThroughAnchor(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aRenewalKeepsTheAnchor() {
        Entry before = heldThroughAnchor(OURS);
        Entry renewed = before.renewed(FRESH, grant(OURS, THROUGH_ANCHOR).renewed(Beat.of(FRESH), TERM), ATTRIBUTES);

        assertThat(written(decide(RENEW, live(before), live(anchorHeld())))).isEqualTo(renewed);
        assertThat(written(decide(RENEW, live(before), expired(anchorHeld())))).isEqualTo(renewed);
    }

    @ParameterizedTest
    @MethodSource("regardlessOfTheAnchor")
    void theHolderAndForceNeedNotReadTheAnchor(LeaseRequest leaseRequest) {
        ObservedEntry seen = live(heldThroughAnchor(OURS));

        Decision unseen = decide(leaseRequest, seen);

        assertThat(unseen).isInstanceOf(Decision.Write.class);
        assertThat(decide(leaseRequest, seen, live(anchorHeld()))).isEqualTo(unseen);
        assertThat(decide(leaseRequest, seen, expired(anchorHeld()))).isEqualTo(unseen);
    }

    @Test
    void onceFreedAKeyHasNothingToDoWithTheAnchorThatKeptIt() {
        Entry freed = stored(LeaseState.FREE, grant(OURS, THROUGH_ANCHOR));
        Entry done = stored(LeaseState.DONE, grant(OURS, THROUGH_ANCHOR));

        assertThat(written(decide(acquire(THEIRS), live(freed))).isHeldBy(THEIRS))
                .isTrue();
        assertThat(decide(acquire(THEIRS), live(done))).isEqualTo(Decision.Finished.of(done));
        assertThat(written(decide(new LeaseRequest.Reopen(), live(done)))).isEqualTo(done.freed(FRESH));
    }
}
