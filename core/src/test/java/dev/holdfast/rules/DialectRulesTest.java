package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.LostReason;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules for stores that share their table with another tool. */
class DialectRulesTest {
    private static final LeaseRequest.Renew CHANGING =
            new LeaseRequest.Renew(OURS, null, AttributePatch.NONE, token(3));

    private static final RuleSet COUNTING = rules(StoreDialect.of("counting").countingBeats());
    private static final RuleSet FENCELESS = rules(StoreDialect.of("bare").without(Set.of(StoreFeature.FENCE)));
    private static final RuleSet EXPIRING = rules(StoreDialect.of("expiring").expiring(Duration.ofSeconds(3)));

    @Test
    void aRenewalWithASuccessorChangesTheTokenAndIsOtherwiseAnyRenewal() {
        Entry plain = written(decide(new LeaseRequest.Renew(OURS, null, AttributePatch.NONE), live(held(OURS))));
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
        assertThat(fenceAfter(COUNTING, acquire(OURS), expired(held(THEIRS)))).isEqualTo(Fence.of(42));
        assertThat(fenceAfter(COUNTING, new LeaseRequest.Renew(OURS, null, PATCH), live(held(OURS))))
                .isEqualTo(Fence.of(42));
        assertThat(fenceAfter(COUNTING, new LeaseRequest.Update(OURS, PATCH), live(held(OURS))))
                .isEqualTo(FENCE);
        assertThat(fenceAfter(COUNTING, new LeaseRequest.Release(OURS), live(held(OURS))))
                .isEqualTo(FENCE);
        assertThat(fenceAfter(COUNTING, acquire(OURS), ABSENT)).isEqualTo(Fence.of(1));
    }

    @Test
    void withoutStoredFencesThereAreNone() {
        assertThat(fenceAfter(FENCELESS, acquire(OURS), ABSENT)).isEqualTo(Fence.NONE);
        assertThat(fenceAfter(FENCELESS, acquire(OURS), expired(held(THEIRS)))).isEqualTo(Fence.NONE);
    }

    @Test
    void whereTheFenceOfADeletedKeyCannotBeKeptItsEntryIsRemoved() {
        LeaseRequest delete = new LeaseRequest.Delete(OURS);
        RuleSet withoutDeletedFences = rules(StoreDialect.of("counting")
                .without(Set.of(StoreFeature.FENCE_OF_DELETED))
                .countingBeats());

        assertThat(change(FENCELESS.decisions().decide(KEY, delete, live(held(OURS)), null, STAMP)))
                .isEqualTo(Change.remove(KEY, SEEN));
        assertThat(change(withoutDeletedFences.decisions().decide(KEY, delete, live(held(OURS)), null, STAMP)))
                .isEqualTo(Change.remove(KEY, SEEN));
        assertThat(fenceAfter(COUNTING, delete, live(held(OURS)))).isEqualTo(FENCE);
    }

    @Test
    void whereLeasesEndAtAStoredTimeAnUnchangedBeatProvesNothing() {
        Entry entry = held(THEIRS);

        ObservedEntry unchangedForLong = observed(entry, Duration.ofDays(-1), Duration.ZERO, Duration.ofHours(1));
        assertThat(EXPIRING.decisions().decide(KEY, acquire(OURS), unchangedForLong, null, STAMP))
                .isInstanceOf(Decision.Held.class);
        assertThat(EXPIRING.decisions().decide(KEY, acquire(OURS), seen(entry, PATIENCE), null, STAMP))
                .isInstanceOf(Decision.Write.class);
        assertThat(standing(entry, null, PATIENCE.minusNanos(1), Duration.ofDays(1)))
                .isEqualTo(EntryStanding.Kind.HELD);
        assertThat(standing(entry, null, PATIENCE, PATIENCE)).isEqualTo(EntryStanding.Kind.SILENT);
    }

    @Test
    void onlySomeStoresKeepTheEndOfALease() {
        assertThat(rules(StoreDialect.of("expiring").expiring(Duration.ofSeconds(3)))
                        .expiry()
                        .endsAreStored())
                .isTrue();
        assertThat(rules(StoreDialect.NATIVE).expiry().endsAreStored()).isFalse();
    }

    @Test
    void whereAnotherToolTakesLeasesEarlyAHolderStopsEarly() {
        ClockReading start = new ClockReading(0, NOW);
        ValidityRules validityRules = EXPIRING.validity();

        assertThat(validityRules.remaining(validityRules.tenure(TERM, start, start, start), start))
                .isEqualTo(TERM.duration().minusSeconds(3));
        assertThat(validityRules.remaining(validityRules.tenure(Term.ofMillis(2_000), start, start, start), start))
                .as("of a term that somebody else chose")
                .isEqualTo(Duration.ofMillis(1));
    }

    private static EntryStanding.Kind standing(
            Entry entry, @Nullable Duration age, Duration sinceAnswer, Duration sinceFirstSeen) {
        return EXPIRING.decisions()
                .standing(observed(entry, age, sinceAnswer, sinceFirstSeen), null, Examples.CLOCK)
                .kind();
    }

    private static Fence fenceAfter(RuleSet rules, LeaseRequest leaseRequest, ObservedEntry seen) {
        return requireNonNull(change(rules.decisions().decide(KEY, leaseRequest, seen, null, STAMP))
                        .next())
                .fence();
    }

    private static RuleSet rules(StoreDialect storeDialect) {
        return RuleSet.of(new StoreTraits(0, 1, STEP, storeDialect));
    }
}
