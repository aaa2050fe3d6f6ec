package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.LostReason;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import org.junit.jupiter.api.Test;

class RenewRulesTest {
    private static final LeaseRequest RENEW = new LeaseRequest.Renew(OURS, null, AttributePatch.NONE);

    @Test
    void aLeaseThatWasGrantedToAnotherCannotBeRenewed() {
        assertLost(decide(RENEW, live(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(RENEW, expired(held(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aLeaseThatAnotherHasHeldSinceCannotBeRenewed() {
        assertLost(decide(RENEW, live(freed(THEIRS))), LostReason.TAKEN);
        assertLost(decide(RENEW, live(done(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aLeaseThatWasEndedCannotBeRenewed() {
        assertLost(decide(RENEW, live(freed(OURS))), LostReason.EVICTED);
        assertLost(decide(RENEW, live(done(OURS))), LostReason.EVICTED);
    }

    @Test
    void aLeaseOfAKeyThatIsGoneCannotBeRenewed() {
        assertLost(decide(RENEW, live(deleted())), LostReason.EVICTED);
        assertLost(decide(RENEW, ABSENT), LostReason.EVICTED);
    }

    @Test
    void aRenewalChangesTheBeatAndNothingElse() {
        Entry next = written(decide(RENEW, live(held(OURS))));

        assertThat(next)
                .isEqualTo(held(OURS).renewed(FRESH, grant(OURS, null).renewed(Beat.of(FRESH), TERM), ATTRIBUTES));
        assertThat(next.fence()).isEqualTo(FENCE);
        assertThat(next.grants()).isEqualTo(3);
    }

    @Test
    void anExpiredLeaseThatWasNotTakenIsRenewed() {
        assertThat(decide(RENEW, expired(held(OURS)))).isEqualTo(decide(RENEW, live(held(OURS))));
    }

    @Test
    void aRenewalMayChangeTheTermAndTheAttributes() {
        Term longer = Term.ofMillis(60_000);

        Entry next = written(decide(new LeaseRequest.Renew(OURS, longer, PATCH), live(held(OURS))));

        assertThat(next)
                .isEqualTo(held(OURS).renewed(FRESH, grant(OURS, null).renewed(Beat.of(FRESH), longer), PATCHED));
    }

    @Test
    void aRenewalMayChangeTheHolder() {
        LeaseRequest renamed = new LeaseRequest.Renew(OURS, null, AttributePatch.NONE, null, US);

        Entry next = written(decide(renamed, live(held(OURS))));

        assertThat(next.grant()).isEqualTo(grant(OURS, null).withHolder(US).renewed(Beat.of(FRESH), TERM));
    }

    @Test
    void nothingIsKnownOfTheLastRenewalOfAKeyWithoutAnEntry() {
        ClockReading later = new ClockReading(5, NOW);

        assertThat(RULES.decisions().sinceBeat(ABSENT, later)).isZero();
        assertThat(RULES.decisions().sinceBeat(live(held(OURS)), CLOCK)).isEqualTo(YOUNG);
    }
}
