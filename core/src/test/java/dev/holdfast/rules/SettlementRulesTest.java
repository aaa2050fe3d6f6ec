package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import org.junit.jupiter.api.Test;

class SettlementRulesTest {
    private static final Version BARRING = version(901);
    private static final WriteStamp BAR_STAMP = Examples.stamp(BARRING, NOW, Fence.NONE);

    private final SettlementRules settlementRules = RULES.settlement();

    @Test
    void anEntryIsBarredByItselfUnderAnotherVersion() {
        Entry expected = held(OURS);
        Change doubtful = change(decide(new LeaseRequest.Done(OURS, PATCH), live(expected)));

        Change bar = settlementRules.bar(doubtful, expected, BAR_STAMP);

        assertThat(bar).isEqualTo(Change.replace(SEEN, expected.withVersion(BARRING)));
        assertThat(requireNonNull(bar.next()).withVersion(SEEN)).isEqualTo(expected);
    }

    @Test
    void aDoubtfulRemovalIsBarredByKeepingTheEntry() {
        Entry expected = freed(THEIRS);

        assertThat(settlementRules.bar(Change.remove(KEY, SEEN), expected, BAR_STAMP))
                .isEqualTo(Change.replace(SEEN, expected.withVersion(BARRING)));
    }

    @Test
    void anAbsentKeyIsBarredByAnEmptyEntry() {
        Change doubtful = change(decide(acquire(OURS), ABSENT));

        Change bar = settlementRules.bar(doubtful, null, BAR_STAMP);

        Fence byTime = Fence.of(FenceRules.micros(NOW));
        assertThat(bar).isEqualTo(Change.insert(Entry.empty(KEY, BARRING, byTime, NOW)));
    }

    @Test
    void theBarOfAnAbsentKeyIsAboveTheFloorSoThatTheStoreTakesIt() {
        Fence floor = Fence.of(FenceRules.micros(NOW) + 10);
        Change doubtful = change(decide(acquire(OURS), ABSENT));

        Change bar = settlementRules.bar(doubtful, null, Examples.stamp(BARRING, NOW, floor));

        assertThat(bar.next()).extracting(Entry::fence).isEqualTo(Fence.of(floor.value() + 1));
    }

    @Test
    void aChangeDidNotTakeEffectIfTheKeyIsAbsent() {
        assertThat(settlementRules.tookEffect(granting(), null)).isFalse();
    }

    @Test
    void aRemovalIsNeverRecognised() {
        Change removal = Change.remove(KEY, SEEN);

        assertThat(settlementRules.tookEffect(removal, null)).isFalse();
        assertThat(settlementRules.tookEffect(removal, freed(THEIRS))).isFalse();
    }

    @Test
    void aChangeDidNotTakeEffectIfItsEntryIsStillAsBefore() {
        assertThat(settlementRules.tookEffect(granting(), freed(THEIRS))).isFalse();
    }

    @Test
    void aChangeIsNotRecognisedBySimilarContent() {
        Entry next = requireNonNull(releasing().next());
        Entry alike = next.withVersion(BARRING);

        assertThat(settlementRules.tookEffect(releasing(), alike)).isFalse();
        assertThat(settlementRules.tookEffect(
                        updating(), requireNonNull(updating().next()).withVersion(BARRING)))
                .isFalse();
    }

    @Test
    void aGrantIsNotRecognisedByItsTokenAlone() {
        assertThat(settlementRules.tookEffect(granting(), held(OURS))).isFalse();
    }

    @Test
    void aGrantThatHasEndedSinceIsNoLongerAGrant() {
        Entry granted = requireNonNull(granting().next());

        assertThat(settlementRules.tookEffect(granting(), granted.freed(BARRING)))
                .isFalse();
        assertThat(settlementRules.tookEffect(granting(), granted.done(BARRING, NOW, ATTRIBUTES)))
                .isFalse();
    }

    @Test
    void aChangeIsRecognisedByItsVersion() {
        for (Change change : new Change[] {granting(), renewing(), releasing(), updating()}) {
            assertThat(settlementRules.tookEffect(change, change.next())).isTrue();
        }
    }

    @Test
    void aGrantOrRenewalIsRecognisedByItsBeatWhenAnotherClientHasBarredAChangeSince() {
        for (Change change : new Change[] {granting(), renewing()}) {
            Entry barred = requireNonNull(change.next()).withVersion(BARRING);

            assertThat(settlementRules.tookEffect(change, barred)).isTrue();
        }
    }

    @Test
    void aGrantIsRecognisedByItsBeatWhenItsHolderHasUpdatedTheKeySince() {
        Entry updated = requireNonNull(granting().next()).withAttributes(BARRING, ATTRIBUTES);

        assertThat(settlementRules.tookEffect(granting(), updated)).isTrue();
    }

    private static Change granting() {
        return change(decide(acquire(OURS), live(freed(THEIRS))));
    }

    private static Change renewing() {
        return change(decide(new LeaseRequest.Renew(OURS, null, AttributePatch.NONE), live(held(OURS))));
    }

    private static Change releasing() {
        return change(decide(new LeaseRequest.Release(OURS), live(held(OURS))));
    }

    private static Change updating() {
        return change(decide(new LeaseRequest.Update(OURS, PATCH), live(held(OURS))));
    }
}
