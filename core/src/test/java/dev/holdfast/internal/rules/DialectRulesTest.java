package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Power;
import dev.holdfast.model.Term;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.StoreTraits;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules where another tool shares the table. */
class DialectRulesTest {
    private static final Request.Renew CHANGING = new Request.Renew(OURS, null, AttributePatch.NONE, token(3));

    private static final RuleBook COUNTING = book(Dialect.of("counting").countingBeats());
    private static final RuleBook FENCELESS = book(Dialect.of("bare").without(Set.of(Power.FENCE)));
    private static final RuleBook EXPIRING = book(Dialect.of("expiring").expiring(Duration.ofSeconds(3)));

    @Test
    void aRenewalWithASuccessorChangesTheTokenAndIsOtherwiseAnyRenewal() {
        Entry plain = written(decide(new Request.Renew(OURS, null, AttributePatch.NONE), live(held(OURS))));
        Entry changed = written(decide(CHANGING, live(held(OURS))));

        assertThat(changed.isHeldBy(token(3))).isTrue();
        assertThat(changed.isHeldBy(OURS)).isFalse();
        assertThat(requireNonNull(changed.grant()).withToken(OURS)).isEqualTo(plain.grant());
    }

    @Test
    void aSuccessorThatIsInPlaceAlreadyProvesTheLease() {
        assertThat(written(decide(CHANGING, live(held(token(3))))).isHeldBy(token(3)))
                .isTrue();
        assertLost(decide(CHANGING, live(held(THEIRS))), LostReason.TAKEN);
        assertLost(decide(CHANGING, live(freed(OURS))), LostReason.EVICTED);
    }

    @Test
    void whereBeatsAreCountedTheFenceGrowsByOneWithGrantsAndRenewalsAndNothingElse() {
        assertThat(fenceAfter(COUNTING, acquire(OURS), silent(held(THEIRS)))).isEqualTo(Fence.of(42));
        assertThat(fenceAfter(COUNTING, new Request.Renew(OURS, null, PATCH), live(held(OURS))))
                .isEqualTo(Fence.of(42));
        assertThat(fenceAfter(COUNTING, new Request.Update(OURS, PATCH), live(held(OURS))))
                .isEqualTo(FENCE);
        assertThat(fenceAfter(COUNTING, new Request.Release(OURS), live(held(OURS))))
                .isEqualTo(FENCE);
        assertThat(fenceAfter(COUNTING, acquire(OURS), ABSENT)).isEqualTo(Fence.of(1));
    }

    @Test
    void whereFencesCannotBeKeptNoneIsMadeUp() {
        assertThat(fenceAfter(FENCELESS, acquire(OURS), ABSENT)).isEqualTo(Fence.NONE);
        assertThat(fenceAfter(FENCELESS, acquire(OURS), silent(held(THEIRS)))).isEqualTo(Fence.NONE);
    }

    @Test
    void whereTheFenceOfADeletedKeyCannotBeKeptNothingIsLeftOfIt() {
        Request delete = new Request.Delete(OURS);
        RuleBook forgetful = book(
                Dialect.of("counting").without(Set.of(Power.FENCE_OF_DELETED)).countingBeats());

        assertThat(change(FENCELESS.rules().decide(KEY, delete, live(held(OURS)), null, STAMP)))
                .isEqualTo(Change.remove(KEY, SEEN));
        assertThat(change(forgetful.rules().decide(KEY, delete, live(held(OURS)), null, STAMP)))
                .isEqualTo(Change.remove(KEY, SEEN));
        assertThat(fenceAfter(COUNTING, delete, live(held(OURS)))).isEqualTo(FENCE);
    }

    @Test
    void whereLeasesExpireABeatThatStandsStillProvesNothing() {
        Entry entry = held(THEIRS);

        Sighting watchedForLong = sighting(entry, Duration.ofDays(-1), Duration.ZERO, Duration.ofHours(1));
        assertThat(EXPIRING.rules().decide(KEY, acquire(OURS), watchedForLong, null, STAMP))
                .isInstanceOf(Decision.Held.class);
        assertThat(EXPIRING.rules().decide(KEY, acquire(OURS), seen(entry, PATIENCE), null, STAMP))
                .isInstanceOf(Decision.Write.class);
        assertThat(standing(entry, null, PATIENCE.minusNanos(1), Duration.ofDays(1)))
                .isEqualTo(Standing.Kind.HELD);
        assertThat(standing(entry, null, PATIENCE, PATIENCE)).isEqualTo(Standing.Kind.SILENT);
    }

    @Test
    void whereOthersAreImpatientAHolderStopsEarly() {
        Moment start = new Moment(0, NOW);
        Belief belief = EXPIRING.belief();

        assertThat(belief.remaining(belief.tenure(TERM, start, start, start), start))
                .isEqualTo(TERM.duration().minusSeconds(3));
        assertThat(belief.remaining(belief.tenure(Term.ofMillis(2_000), start, start, start), start))
                .as("of a term that somebody else chose")
                .isEqualTo(Duration.ofMillis(1));
    }

    private static Standing.Kind standing(
            Entry entry, @Nullable Duration age, Duration sinceAnswer, Duration sinceFirstSeen) {
        return EXPIRING.rules()
                .standing(sighting(entry, age, sinceAnswer, sinceFirstSeen), null, NOW)
                .kind();
    }

    private static Fence fenceAfter(RuleBook book, Request request, Sighting seen) {
        return requireNonNull(change(book.rules().decide(KEY, request, seen, null, STAMP))
                        .next())
                .fence();
    }

    private static RuleBook book(Dialect dialect) {
        return RuleBook.of(new StoreTraits(0, 1, STEP, dialect));
    }
}
