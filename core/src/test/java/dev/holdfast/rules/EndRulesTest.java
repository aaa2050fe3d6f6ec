package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import org.junit.jupiter.api.Test;

/** The requests by which a holder ends its lease: release and done. */
class EndRulesTest {
    private static final LeaseRequest RELEASE = new LeaseRequest.Release(OURS);
    private static final LeaseRequest HAND_OVER = new LeaseRequest.HandOver(OURS, acquire(THEIRS));
    private static final LeaseRequest DONE = new LeaseRequest.Done(OURS, PATCH);

    @Test
    void aLeaseOfAnotherCannotBeReleased() {
        assertLost(decide(RELEASE, live(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(RELEASE, expired(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(RELEASE, live(freed(THEIRS))), LostReason.TAKEN);
        assertLost(decide(RELEASE, live(done(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aKeyThatWeFinishedCannotBeReleased() {
        assertLost(decide(RELEASE, live(done(OURS))), LostReason.EVICTED);
    }

    @Test
    void aKeyThatIsGoneCannotBeReleased() {
        assertLost(decide(RELEASE, live(deleted())), LostReason.EVICTED);
        assertLost(decide(RELEASE, ABSENT), LostReason.EVICTED);
    }

    @Test
    void aRepeatedReleaseIsFulfilled() {
        assertAlready(decide(RELEASE, live(freed(OURS))), freed(OURS));
    }

    @Test
    void aReleaseFreesTheKeyAndKeepsTheLastGrant() {
        Entry next = written(decide(RELEASE, live(held(OURS))));

        assertThat(next)
                .isEqualTo(Examples.recorded(
                        new Entry(KEY, FRESH, LeaseState.FREE, FENCE, 3, grant(OURS, null), ATTRIBUTES, CREATED, null),
                        GrantEnd.RELEASED));
    }

    @Test
    void anExpiredLeaseThatWasNotTakenIsReleased() {
        assertThat(decide(RELEASE, expired(held(OURS)))).isEqualTo(decide(RELEASE, live(held(OURS))));
    }

    @Test
    void aHandOverReleasesAndGrantsByOneWrite() {
        Entry next = written(decide(HAND_OVER, live(held(OURS))));

        assertThat(next.isHeldBy(THEIRS)).isTrue();
        assertThat(next.fence().isAbove(FENCE)).isTrue();
        assertThat(next.version()).isEqualTo(FRESH);
        assertThat(next.grants()).isEqualTo(4);
    }

    @Test
    void aLeaseOfAnotherIsNotHandedOver() {
        assertLost(decide(HAND_OVER, live(held(token(3)))), LostReason.TAKEN);
        assertLost(decide(HAND_OVER, expired(held(token(3)))), LostReason.TAKEN);
        assertLost(decide(HAND_OVER, live(done(OURS))), LostReason.EVICTED);
        assertLost(decide(HAND_OVER, ABSENT), LostReason.EVICTED);
        assertAlready(decide(HAND_OVER, live(freed(OURS))), freed(OURS));
    }

    @Test
    void aRepeatedHandOverBeginsTheTermAnew() {
        assertThat(decide(HAND_OVER, live(held(THEIRS)))).isEqualTo(decide(acquire(THEIRS), live(held(THEIRS))));
    }

    @Test
    void anUndeliveredGrantIsReleased() {
        assertThat(written(decide(new LeaseRequest.ReleaseUndelivered(OURS, BEAT), live(held(OURS)))))
                .isEqualTo(Examples.recorded(held(OURS).freed(FRESH), GrantEnd.UNDELIVERED));
    }

    @Test
    void aGrantThatWasRequestedAgainIsNotReleased() {
        LeaseRequest undelivered = new LeaseRequest.ReleaseUndelivered(OURS, Beat.of(version(98)));

        assertAlready(decide(undelivered, live(held(OURS))), held(OURS));
    }

    @Test
    void aGrantOfAnotherIsNotReleased() {
        assertAlready(decide(new LeaseRequest.ReleaseUndelivered(OURS, BEAT), live(held(THEIRS))), held(THEIRS));
        assertAlready(decide(new LeaseRequest.ReleaseUndelivered(OURS, BEAT), live(freed(OURS))), freed(OURS));
        assertAlready(decide(new LeaseRequest.ReleaseUndelivered(OURS, BEAT), live(done(OURS))), done(OURS));
    }

    @Test
    void aLeaseOfAnotherCannotBeFinished() {
        assertLost(decide(DONE, live(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(DONE, expired(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(DONE, live(freed(THEIRS))), LostReason.TAKEN);
        assertLost(decide(DONE, live(done(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aLeaseThatWasReleasedOrReopenedCannotBeFinished() {
        assertLost(decide(DONE, live(freed(OURS))), LostReason.EVICTED);
    }

    @Test
    void aKeyThatIsGoneCannotBeFinished() {
        assertLost(decide(DONE, live(deleted())), LostReason.EVICTED);
        assertLost(decide(DONE, ABSENT), LostReason.EVICTED);
    }

    @Test
    void aRepeatedDoneIsFulfilledOnce() {
        LeaseRequest differing = new LeaseRequest.Done(OURS, AttributePatch.putting("a", "later"));

        assertAlready(decide(DONE, live(done(OURS))), done(OURS));
        assertAlready(decide(differing, live(done(OURS))), done(OURS));
    }

    @Test
    void finishingKeepsTheLastGrantAndNotesTheTime() {
        Entry next = written(decide(DONE, live(held(OURS))));

        assertThat(next)
                .isEqualTo(Examples.recorded(
                        new Entry(KEY, FRESH, LeaseState.DONE, FENCE, 3, grant(OURS, null), PATCHED, CREATED, NOW),
                        GrantEnd.DONE));
    }

    @Test
    void anExpiredLeaseThatWasNotTakenIsFinished() {
        assertThat(decide(DONE, expired(held(OURS)))).isEqualTo(decide(DONE, live(held(OURS))));
    }
}
