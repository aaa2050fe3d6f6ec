package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.store.Entry;
import org.junit.jupiter.api.Test;

/** The requests that edit a key: update, reopen and delete. */
class EditRulesTest {
    private static final LeaseRequest UPDATE = new LeaseRequest.Update(OURS, PATCH);
    private static final LeaseRequest REOPEN = new LeaseRequest.Reopen();
    private static final LeaseRequest DELETE = new LeaseRequest.Delete(null);
    private static final LeaseRequest DELETE_OURS = new LeaseRequest.Delete(OURS);

    @Test
    void aLeaseOfAnotherCannotBeUpdated() {
        assertLost(decide(UPDATE, live(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(UPDATE, expired(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(UPDATE, live(freed(THEIRS))), LostReason.TAKEN);
        assertLost(decide(UPDATE, live(done(THEIRS))), LostReason.TAKEN);
    }

    @Test
    void aLeaseThatHasEndedCannotBeUpdated() {
        assertLost(decide(UPDATE, live(freed(OURS))), LostReason.EVICTED);
        assertLost(decide(UPDATE, live(done(OURS))), LostReason.EVICTED);
        assertLost(decide(UPDATE, live(deleted())), LostReason.EVICTED);
        assertLost(decide(UPDATE, ABSENT), LostReason.EVICTED);
    }

    @Test
    void anUpdateChangesTheAttributesAndNotTheBeat() {
        Entry next = written(decide(UPDATE, live(held(OURS))));

        assertThat(next)
                .isEqualTo(new Entry(KEY, FRESH, LeaseState.HELD, FENCE, 3, grant(OURS, null), PATCHED, CREATED, null));
    }

    @Test
    void anExpiredLeaseThatWasNotTakenIsUpdated() {
        assertThat(decide(UPDATE, expired(held(OURS)))).isEqualTo(decide(UPDATE, live(held(OURS))));
    }

    @Test
    void aHeldKeyCannotBeReopened() {
        assertThat(decide(REOPEN, live(held(THEIRS)))).isEqualTo(Decision.Held.of(held(THEIRS), PATIENCE.minus(YOUNG)));
    }

    @Test
    void aKeyThatIsNotDoneNeedsNoReopening() {
        assertAlready(decide(REOPEN, ABSENT), null);
        assertAlready(decide(REOPEN, live(deleted())), deleted());
        assertAlready(decide(REOPEN, live(freed(THEIRS))), freed(THEIRS));
        assertAlready(decide(REOPEN, expired(held(THEIRS))), held(THEIRS));
    }

    @Test
    void reopeningFreesADoneKeyAndKeepsTheRest() {
        Entry next = written(decide(REOPEN, live(done(THEIRS))));

        assertThat(next)
                .isEqualTo(new Entry(
                        KEY, FRESH, LeaseState.FREE, FENCE, 3, grant(THEIRS, null), ATTRIBUTES, CREATED, null));
    }

    @Test
    void aHeldKeyCannotBeDeletedByOthers() {
        Decision held = Decision.Held.of(held(THEIRS), PATIENCE.minus(YOUNG));

        assertThat(decide(DELETE, live(held(THEIRS)))).isEqualTo(held);
        assertThat(decide(DELETE_OURS, live(held(THEIRS)))).isEqualTo(held);
    }

    @Test
    void thereIsNothingToDeleteTwice() {
        assertAlready(decide(DELETE, ABSENT), null);
        assertAlready(decide(DELETE, live(deleted())), deleted());
        assertAlready(decide(DELETE_OURS, ABSENT), null);
    }

    @Test
    void deletingLeavesNothingButTheFence() {
        Entry empty = Entry.empty(KEY, FRESH, FENCE, NOW);

        assertThat(written(decide(DELETE, live(freed(THEIRS))))).isEqualTo(empty);
        assertThat(written(decide(DELETE, live(done(THEIRS))))).isEqualTo(empty);
        assertThat(written(decide(DELETE, expired(held(THEIRS))))).isEqualTo(empty);
    }

    @Test
    void aHolderMayDeleteItsOwnKey() {
        Entry empty = Entry.empty(KEY, FRESH, FENCE, NOW);

        assertThat(written(decide(DELETE_OURS, live(held(OURS))))).isEqualTo(empty);
        assertThat(written(decide(DELETE_OURS, live(freed(OURS))))).isEqualTo(empty);
        assertThat(written(decide(DELETE_OURS, live(done(OURS))))).isEqualTo(empty);
    }
}
