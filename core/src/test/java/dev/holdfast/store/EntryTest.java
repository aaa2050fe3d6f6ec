package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntryTest {
    private static final Key KEY = Key.of("jobs", "nightly");
    private static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant LATER = CREATED.plusSeconds(60);
    private static final Fence FENCE = Fence.of(41);
    private static final Token TOKEN = Token.of(new UUID(1, 1));
    private static final Token ANOTHER = Token.of(new UUID(1, 2));
    private static final Version FIRST = Version.of(new UUID(2, 1));
    private static final Version SECOND = Version.of(new UUID(2, 2));
    private static final Attributes ATTRIBUTES = Attributes.of("a", "1");
    private static final AnchorRef ANCHOR = new AnchorRef(Key.ofAnchor(Holder.of("w")), Fence.of(7));
    private static final Grant GRANT = grant(null);
    private static final Entry HELD = entry(LeaseState.HELD, GRANT, null);

    @Test
    void anEntryThatIsNotFreeHasAGrant() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> entry(LeaseState.HELD, null, null))
                .withMessage("entry: jobs/nightly (expected: a grant, as its state is HELD)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> entry(LeaseState.DONE, null, LATER))
                .withMessage("entry: jobs/nightly (expected: a grant, as its state is DONE)");
    }

    @Test
    void anEntryHasADoneTimeIfAndOnlyIfItIsDone() {
        String message = "entry: jobs/nightly (expected: a done time if and only if it is DONE)";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> entry(LeaseState.DONE, GRANT, null))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> entry(LeaseState.HELD, GRANT, LATER))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> entry(LeaseState.FREE, GRANT, LATER))
                .withMessage(message);
    }

    @Test
    void anEmptyEntryHasNothingButItsFence() {
        assertThat(Entry.empty(KEY, FIRST, FENCE, CREATED))
                .isEqualTo(new Entry(KEY, FIRST, LeaseState.FREE, FENCE, 0, null, Attributes.NONE, CREATED, null));
    }

    @Test
    void onlyTheTokenOfTheLastGrantIsItsToken() {
        assertThat(HELD.isOf(ANOTHER)).isFalse();
        assertThat(Entry.empty(KEY, FIRST, FENCE, CREATED).isOf(TOKEN)).isFalse();
        assertThat(HELD.isOf(TOKEN)).isTrue();
        assertThat(HELD.freed(SECOND).isOf(TOKEN)).isTrue();
        assertThat(HELD.done(SECOND, LATER, ATTRIBUTES).isOf(TOKEN)).isTrue();
    }

    @Test
    void aTokenHoldsAKeyOnlyWhileItIsHeld() {
        assertThat(HELD.isHeldBy(ANOTHER)).isFalse();
        assertThat(HELD.freed(SECOND).isHeldBy(TOKEN)).isFalse();
        assertThat(HELD.done(SECOND, LATER, ATTRIBUTES).isHeldBy(TOKEN)).isFalse();
        assertThat(HELD.isHeldBy(TOKEN)).isTrue();
    }

    @Test
    void anEntryIsHeldThroughItsAnchorOnlyWhileItIsHeld() {
        Entry anchored = entry(LeaseState.HELD, grant(ANCHOR), null);

        assertThat(HELD.heldThrough()).isNull();
        assertThat(Entry.empty(KEY, FIRST, FENCE, CREATED).heldThrough()).isNull();
        assertThat(anchored.freed(SECOND).heldThrough()).isNull();
        assertThat(anchored.done(SECOND, LATER, ATTRIBUTES).heldThrough()).isNull();
        assertThat(anchored.heldThrough()).isEqualTo(ANCHOR);
    }

    @Test
    void aNewVersionChangesNothingElse() {
        for (Entry entry : new Entry[] {HELD, HELD.freed(FIRST), HELD.done(FIRST, LATER, ATTRIBUTES)}) {
            Entry next = entry.withVersion(SECOND);

            assertThat(next.version()).isEqualTo(SECOND);
            assertThat(next.withVersion(FIRST)).isEqualTo(entry);
        }
    }

    @Test
    void newAttributesChangeNothingElse() {
        assertThat(HELD.withAttributes(SECOND, Attributes.NONE))
                .isEqualTo(new Entry(KEY, SECOND, LeaseState.HELD, FENCE, 3, GRANT, Attributes.NONE, CREATED, null));
    }

    @Test
    void aGrantIsCounted() {
        Grant next = new Grant(ANOTHER, Holder.of("b"), Term.ofMillis(1), Beat.of(SECOND), LATER, null);

        assertThat(HELD.freed(FIRST).granted(SECOND, Fence.of(42), next, Attributes.NONE))
                .isEqualTo(
                        new Entry(KEY, SECOND, LeaseState.HELD, Fence.of(42), 4, next, Attributes.NONE, CREATED, null));
    }

    @Test
    void aRenewalIsNotCounted() {
        Grant renewed = GRANT.renewed(Beat.of(SECOND), Term.ofMillis(2_000));

        assertThat(renewed)
                .isEqualTo(new Grant(TOKEN, Holder.of("a"), Term.ofMillis(2_000), Beat.of(SECOND), CREATED, null));
        assertThat(HELD.renewed(SECOND, renewed, Attributes.NONE))
                .isEqualTo(new Entry(KEY, SECOND, LeaseState.HELD, FENCE, 3, renewed, Attributes.NONE, CREATED, null));
    }

    @Test
    void aRenewalKeepsTheAnchor() {
        assertThat(grant(ANCHOR).renewed(Beat.of(SECOND), Term.ofMillis(1)).anchor())
                .isEqualTo(ANCHOR);
    }

    @Test
    void freeAndDoneEntriesKeepTheLastGrantAndTheFence() {
        assertThat(HELD.freed(SECOND))
                .isEqualTo(new Entry(KEY, SECOND, LeaseState.FREE, FENCE, 3, GRANT, ATTRIBUTES, CREATED, null));
        assertThat(HELD.done(SECOND, LATER, Attributes.NONE))
                .isEqualTo(new Entry(KEY, SECOND, LeaseState.DONE, FENCE, 3, GRANT, Attributes.NONE, CREATED, LATER));
    }

    @Test
    void everyChangeKeepsTheHistory() {
        PastGrant line = new PastGrant(2, Holder.of("b"), Fence.of(40), CREATED, GrantEnd.RELEASED, LATER);
        GrantHistory history = GrantHistory.of(CREATED, List.of(line));
        Entry entry = HELD.withHistory(history);

        assertThat(Stream.of(
                        entry.withVersion(SECOND),
                        entry.withAttributes(SECOND, Attributes.NONE),
                        entry.renewed(SECOND, GRANT, Attributes.NONE),
                        entry.freed(SECOND),
                        entry.done(SECOND, LATER, Attributes.NONE),
                        entry.freed(SECOND).granted(FIRST, Fence.of(42), GRANT, Attributes.NONE)))
                .extracting(Entry::history)
                .containsOnly(history);
    }

    @Test
    void aReopenedEntryHasNoDoneTime() {
        assertThat(HELD.done(FIRST, LATER, ATTRIBUTES).freed(SECOND)).isEqualTo(HELD.freed(SECOND));
    }

    private static Grant grant(@Nullable AnchorRef anchor) {
        return new Grant(TOKEN, Holder.of("a"), Term.ofMillis(1_000), Beat.of(FIRST), CREATED, anchor);
    }

    private static Entry entry(LeaseState leaseState, @Nullable Grant grant, @Nullable Instant doneAt) {
        return new Entry(KEY, FIRST, leaseState, FENCE, 3, grant, ATTRIBUTES, CREATED, doneAt);
    }
}
