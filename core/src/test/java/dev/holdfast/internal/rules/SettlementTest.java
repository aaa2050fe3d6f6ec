package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Change;
import org.junit.jupiter.api.Test;

class SettlementTest {
    private static final Version BARRING = version(901);
    private static final Stamp BAR_STAMP = new Stamp(BARRING, NOW, Fence.NONE);

    private final Settlement settlement = BOOK.settlement();

    @Test
    void anEntryIsBarredByItselfUnderAnotherVersion() {
        Entry expected = held(OURS);
        Change doubtful = change(decide(new Request.Done(OURS, PATCH), live(expected)));

        Change bar = settlement.bar(doubtful, expected, BAR_STAMP);

        assertThat(bar).isEqualTo(Change.replace(SEEN, expected.withVersion(BARRING)));
        assertThat(requireNonNull(bar.next()).withVersion(SEEN)).isEqualTo(expected);
    }

    @Test
    void aDoubtfulRemovalIsBarredByKeepingTheEntry() {
        Entry expected = freed(THEIRS);

        assertThat(settlement.bar(Change.remove(KEY, SEEN), expected, BAR_STAMP))
                .isEqualTo(Change.replace(SEEN, expected.withVersion(BARRING)));
    }

    @Test
    void anAbsentKeyIsBarredByAnEmptyEntry() {
        Change doubtful = change(decide(acquire(OURS), ABSENT));

        Change bar = settlement.bar(doubtful, null, BAR_STAMP);

        Fence byTime = Fence.of(Fences.micros(NOW));
        assertThat(bar).isEqualTo(Change.insert(Entry.empty(KEY, BARRING, byTime, NOW)));
    }

    @Test
    void theBarOfAnAbsentKeyIsAboveTheFloorSoThatTheStoreTakesIt() {
        Fence floor = Fence.of(Fences.micros(NOW) + 10);
        Change doubtful = change(decide(acquire(OURS), ABSENT));

        Change bar = settlement.bar(doubtful, null, new Stamp(BARRING, NOW, floor));

        assertThat(bar.next()).extracting(Entry::fence).isEqualTo(Fence.of(floor.value() + 1));
    }

    @Test
    void aChangeDidNotTakeEffectIfTheKeyIsAbsent() {
        assertThat(settlement.tookEffect(granting(), null)).isFalse();
    }

    @Test
    void aRemovalIsNeverRecognised() {
        Change removal = Change.remove(KEY, SEEN);

        assertThat(settlement.tookEffect(removal, null)).isFalse();
        assertThat(settlement.tookEffect(removal, freed(THEIRS))).isFalse();
    }

    @Test
    void aChangeDidNotTakeEffectIfItsEntryIsStillAsBefore() {
        assertThat(settlement.tookEffect(granting(), freed(THEIRS))).isFalse();
    }

    @Test
    void aChangeIsNotRecognisedByLookingAlike() {
        Entry next = requireNonNull(releasing().next());
        Entry alike = next.withVersion(BARRING);

        assertThat(settlement.tookEffect(releasing(), alike)).isFalse();
        assertThat(settlement.tookEffect(
                        updating(), requireNonNull(updating().next()).withVersion(BARRING)))
                .isFalse();
    }

    @Test
    void aGrantIsNotRecognisedByItsTokenAlone() {
        assertThat(settlement.tookEffect(granting(), held(OURS))).isFalse();
    }

    @Test
    void aGrantThatHasEndedSinceIsNoLongerAGrant() {
        Entry granted = requireNonNull(granting().next());

        assertThat(settlement.tookEffect(granting(), granted.freed(BARRING))).isFalse();
        assertThat(settlement.tookEffect(granting(), granted.done(BARRING, NOW, ATTRIBUTES)))
                .isFalse();
    }

    @Test
    void aChangeIsRecognisedByItsVersion() {
        for (Change change : new Change[] {granting(), renewing(), releasing(), updating()}) {
            assertThat(settlement.tookEffect(change, change.next())).isTrue();
        }
    }

    @Test
    void aGrantOrRenewalIsRecognisedByItsBeatWhenSomebodyHasBarredAChangeSince() {
        for (Change change : new Change[] {granting(), renewing()}) {
            Entry barred = requireNonNull(change.next()).withVersion(BARRING);

            assertThat(settlement.tookEffect(change, barred)).isTrue();
        }
    }

    @Test
    void aGrantIsRecognisedByItsBeatWhenItsHolderHasUpdatedTheKeySince() {
        Entry updated = requireNonNull(granting().next()).withAttributes(BARRING, ATTRIBUTES);

        assertThat(settlement.tookEffect(granting(), updated)).isTrue();
    }

    private static Change granting() {
        return change(decide(acquire(OURS), live(freed(THEIRS))));
    }

    private static Change renewing() {
        return change(decide(new Request.Renew(OURS, null, AttributePatch.NONE), live(held(OURS))));
    }

    private static Change releasing() {
        return change(decide(new Request.Release(OURS), live(held(OURS))));
    }

    private static Change updating() {
        return change(decide(new Request.Update(OURS, PATCH), live(held(OURS))));
    }
}
