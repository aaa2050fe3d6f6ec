package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.CREATED;
import static dev.holdfast.rules.Examples.EVICT_BY_FORCE;
import static dev.holdfast.rules.Examples.FENCE;
import static dev.holdfast.rules.Examples.FRESH;
import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.NOW;
import static dev.holdfast.rules.Examples.OURS;
import static dev.holdfast.rules.Examples.STAMP;
import static dev.holdfast.rules.Examples.STEP;
import static dev.holdfast.rules.Examples.THEIRS;
import static dev.holdfast.rules.Examples.acquire;
import static dev.holdfast.rules.Examples.expired;
import static dev.holdfast.rules.Examples.freed;
import static dev.holdfast.rules.Examples.held;
import static dev.holdfast.rules.Examples.live;
import static dev.holdfast.rules.Examples.version;
import static dev.holdfast.rules.Examples.written;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.StoreFeature;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The history that each kind of write leaves. The tests of the single requests have the lines that they add. */
class HistoryRulesTest {
    /** The second grant; the entries of the examples are at their third. */
    private static final PastGrant SECOND_GRANT = new PastGrant(
            2, Holder.of("before"), Fence.of(FENCE.value() - 1), CREATED, GrantEnd.RELEASED, CREATED.plusSeconds(1));

    private static final GrantHistory BEFORE = GrantHistory.of(CREATED, List.of(SECOND_GRANT));

    private static Entry decided(int length, LeaseRequest request, ObservedEntry seen) {
        RuleSet rules = RuleSet.of(new StoreTraits(0, 1, STEP), length);
        return written(rules.decisions().decide(KEY, request, seen, null, STAMP));
    }

    private static Entry decided(LeaseRequest request, ObservedEntry seen) {
        return decided(10, request, seen);
    }

    @Test
    void theLineIsAddedBehindTheOlderOnes() {
        Entry next = decided(new LeaseRequest.Release(OURS), live(held(OURS).withHistory(BEFORE)));

        assertThat(next.history().lines())
                .containsExactly(
                        SECOND_GRANT,
                        new PastGrant(3, Holder.of("holder"), FENCE, Examples.GRANTED, GrantEnd.RELEASED, NOW));
    }

    @Test
    void aHandOverIsRecordedWithTheGrantThatItMakes() {
        Entry next = decided(new LeaseRequest.HandOver(OURS, acquire(THEIRS)), live(held(OURS)));

        assertThat(next.isHeldBy(THEIRS)).isTrue();
        assertThat(next.history().lines())
                .singleElement()
                .satisfies(line -> assertThat(line.end()).isEqualTo(GrantEnd.HANDED_OVER));
    }

    @Test
    void aGrantOfAFreeKeyAddsNoLine() {
        // An older client released the third grant, and recorded nothing: the gap stays.
        Entry next = decided(acquire(OURS), live(freed(THEIRS).withHistory(BEFORE)));

        assertThat(next.grants()).isEqualTo(4);
        assertThat(next.history()).isEqualTo(BEFORE);
    }

    @Test
    void renewalsUpdatesAndBarsKeepTheHistory() {
        ObservedEntry seen = live(held(OURS).withHistory(BEFORE));

        assertThat(decided(new LeaseRequest.Renew(OURS, null, AttributePatch.NONE), seen)
                        .history())
                .isEqualTo(BEFORE);
        assertThat(decided(new LeaseRequest.Update(OURS, Examples.PATCH), seen).history())
                .isEqualTo(BEFORE);
        assertThat(decided(acquire(OURS), seen).history()).isEqualTo(BEFORE);
        // Even where the client keeps none: these writes do not touch it.
        assertThat(decided(0, new LeaseRequest.Renew(OURS, null, AttributePatch.NONE), seen)
                        .history())
                .isEqualTo(BEFORE);
        Entry entry = held(OURS).withHistory(BEFORE);
        Change bar = new SettlementRules(new FenceRules())
                .bar(Change.replace(entry.version(), entry.freed(version(901))), entry, STAMP);
        assertThat(bar.next()).isEqualTo(entry.withVersion(FRESH));
    }

    @Test
    void reopeningKeepsTheHistory() {
        Entry done = Examples.done(OURS).withHistory(BEFORE);

        assertThat(decided(new LeaseRequest.Reopen(), live(done)).history()).isEqualTo(BEFORE);
    }

    @Test
    void deletionRemovesTheHistory() {
        assertThat(decided(new LeaseRequest.Delete(null), live(freed(OURS).withHistory(BEFORE)))
                        .history())
                .isEqualTo(GrantHistory.NONE);
    }

    @Test
    void onlyTheLastLinesAreKept() {
        Entry entry = held(OURS).withHistory(BEFORE);

        assertThat(decided(1, new LeaseRequest.Release(OURS), live(entry))
                        .history()
                        .lines())
                .singleElement()
                .satisfies(line -> assertThat(line.number()).isEqualTo(3));
        assertThat(decided(0, new LeaseRequest.Release(OURS), live(entry)).history())
                .isEqualTo(GrantHistory.NONE);
        assertThat(decided(0, acquire(OURS), live(freed(THEIRS).withHistory(BEFORE)))
                        .history())
                .isEqualTo(GrantHistory.NONE);
    }

    @Test
    void aGrantByAClientThatKeepsFewerLinesDropsTheOldest() {
        PastGrant first = new PastGrant(1, Holder.of("x"), Fence.of(1), CREATED, GrantEnd.RELEASED, CREATED);
        GrantHistory two = GrantHistory.of(CREATED, List.of(first, SECOND_GRANT));
        ObservedEntry seen = live(freed(THEIRS).withHistory(two));

        assertThat(decided(1, acquire(OURS), seen).history().lines()).containsExactly(SECOND_GRANT);
        assertThat(decided(2, acquire(OURS), seen).history()).isEqualTo(two);
    }

    @Test
    void aHistoryOfANewerFormatIsLeftAlone() {
        byte[] newer = BEFORE.encoded();
        newer[0] = 2;
        GrantHistory unreadable = GrantHistory.decode(newer, CREATED);

        assertThat(decided(new LeaseRequest.Release(OURS), live(held(OURS).withHistory(unreadable)))
                        .history())
                .isEqualTo(unreadable);
    }

    @Test
    void linesThatAreNotOlderThanTheGrantAreNotItsHistory() {
        GrantHistory ofACopy = GrantHistory.of(
                CREATED,
                List.of(
                        SECOND_GRANT,
                        new PastGrant(3, Holder.of("x"), FENCE, CREATED, GrantEnd.DONE, CREATED),
                        new PastGrant(4, Holder.of("x"), Fence.of(50), CREATED, GrantEnd.DONE, CREATED)));
        Entry next = decided(new LeaseRequest.Release(OURS), live(held(OURS).withHistory(ofACopy)));

        assertThat(next.history().lines()).extracting(PastGrant::number).containsExactly(2L, 3L);
        assertThat(next.history().last().orElseThrow().holder()).isEqualTo(Holder.of("holder"));
    }

    @Test
    void aLongReasonIsCut() {
        LeaseRequest request = new LeaseRequest.EvictByForce(EVICT_BY_FORCE.actor(), "\u20ac".repeat(500));
        PastGrant line = decided(request, live(held(OURS))).history().last().orElseThrow();

        assertThat(line.reason()).isEqualTo("\u20ac".repeat(39) + "...");
        assertThat(line.actor()).isEqualTo(EVICT_BY_FORCE.actor());
    }

    @Test
    void noReasonPreventsAnEviction() {
        for (String odd : List.of("", "\0 and \uD83D", "\uD83D".repeat(300), "x".repeat(120), "x".repeat(121))) {
            LeaseRequest request = new LeaseRequest.EvictByForce(EVICT_BY_FORCE.actor(), odd);
            assertThat(decided(request, live(held(OURS))).history().lines()).hasSize(1);
        }
        LeaseRequest odd = new LeaseRequest.EvictByForce(EVICT_BY_FORCE.actor(), "\0 and \uD83D");
        assertThat(decided(odd, live(held(OURS))).history().last().orElseThrow().reason())
                .isEqualTo("? and ?");
    }

    /** Either of the two shows that a line is not older: a restored copy may have counted on from another number. */
    @Test
    void aLineWithTheNumberOrTheFenceOfTheGrantIsNotItsHistory() {
        PastGrant sameNumber =
                new PastGrant(3, Holder.of("x"), Fence.of(FENCE.value() - 2), CREATED, GrantEnd.DONE, CREATED);
        PastGrant sameFence = new PastGrant(2, Holder.of("x"), FENCE, CREATED, GrantEnd.DONE, CREATED);

        for (PastGrant line : List.of(sameNumber, sameFence)) {
            Entry entry = held(OURS).withHistory(GrantHistory.of(CREATED, List.of(line)));
            assertThat(decided(new LeaseRequest.Release(OURS), live(entry))
                            .history()
                            .lines())
                    .extracting(PastGrant::holder)
                    .containsExactly(Holder.of("holder"));
        }
    }

    @Test
    void aReasonThatJustFitsIsNotCut() {
        String fitting = "x".repeat(SizeLimits.REASON_BYTES);

        assertThat(reasonKept(fitting)).isEqualTo(fitting);
        assertThat(reasonKept(fitting + "x")).isEqualTo("x".repeat(SizeLimits.REASON_BYTES - 3) + "...");
    }

    private static @Nullable String reasonKept(String reason) {
        LeaseRequest request = new LeaseRequest.EvictByForce(EVICT_BY_FORCE.actor(), reason);
        return decided(request, live(held(OURS))).history().last().orElseThrow().reason();
    }

    @Test
    void aTakeoverOfAnExpiredLeaseRecordsNoMoment() {
        Entry next = decided(acquire(OURS), expired(held(THEIRS)));

        assertThat(next.history().last().orElseThrow().endedAt()).isEmpty();
        assertThat(next.history().last().orElseThrow().endedBy())
                .isEqualTo(requireNonNull(next.grant()).grantedAt());
    }

    @Test
    void tablesOfOtherToolsKeepNone() {
        RuleSet rules = RuleSet.of(
                new StoreTraits(0, 1, STEP, StoreDialect.of("other").without(Set.of(StoreFeature.HISTORY))), 10);

        assertThat(written(rules.decisions().decide(KEY, new LeaseRequest.Release(OURS), live(held(OURS)), null, STAMP))
                        .history())
                .isEqualTo(GrantHistory.NONE);
    }

    @Test
    void theLengthIsBounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> new HistoryRules(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new HistoryRules(51));
        assertThat(new HistoryRules(50).length()).isEqualTo(50);
    }
}
