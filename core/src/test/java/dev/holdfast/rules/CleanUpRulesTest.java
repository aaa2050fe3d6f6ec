package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.ANCHOR;
import static dev.holdfast.rules.Examples.ANCHOR_ABSENT;
import static dev.holdfast.rules.Examples.ANCHOR_FENCE;
import static dev.holdfast.rules.Examples.FRESH;
import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.NOW;
import static dev.holdfast.rules.Examples.RULES;
import static dev.holdfast.rules.Examples.SEEN;
import static dev.holdfast.rules.Examples.THEIRS;
import static dev.holdfast.rules.Examples.THROUGH_ANCHOR;
import static dev.holdfast.rules.Examples.YOUNG;
import static dev.holdfast.rules.Examples.anchorHeld;
import static dev.holdfast.rules.Examples.change;
import static dev.holdfast.rules.Examples.early;
import static dev.holdfast.rules.Examples.grant;
import static dev.holdfast.rules.Examples.heldThroughAnchor;
import static dev.holdfast.rules.Examples.seen;
import static dev.holdfast.rules.Examples.stored;
import static dev.holdfast.rules.Examples.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clean-up judges a lease that was held through an anchor by the anchor as it was read after the lease. */
class CleanUpRulesTest {
    private static final Attributes UNIT = Attributes.NONE.with("~unit", true);
    private static final Duration AGES = CleanUpOptions.IDLE_MIN.multipliedBy(3);

    static Entry[] heldThroughTheAnchorOnce() {
        return new Entry[] {heldThroughAnchor(THEIRS), stored(LeaseState.FREE, grant(THEIRS, THROUGH_ANCHOR))};
    }

    /** An older answer may show the anchor as it was before the grant that keeps the lease alive. */
    @ParameterizedTest
    @MethodSource("heldThroughTheAnchorOnce")
    void anAnchorThatWasReadBeforeTheLeaseIsReadAgain(Entry entry) {
        Entry before = anchorHeld(Fence.of(ANCHOR_FENCE.value() - 1)).freed(version(72));

        assertThat(cleanUp(entry, early(seen(before, AGES)))).isEqualTo(new Decision.ReadFirst(ANCHOR));
    }

    @ParameterizedTest
    @MethodSource("heldThroughTheAnchorOnce")
    void aLeaseIsRemovedIfItsAnchorWasReadAfterItAndHasLongEnded(Entry entry) {
        Entry ended = anchorHeld().freed(version(72));

        assertThat(change(cleanUp(entry, seen(ended, AGES)))).isEqualTo(Change.remove(KEY, SEEN));
    }

    /** The lease itself is never renewed, so its own beat is old. */
    @ParameterizedTest
    @MethodSource("heldThroughTheAnchorOnce")
    void aLeaseIsKeptIfItsAnchorHasJustEnded(Entry entry) {
        Entry ended = anchorHeld().freed(version(72));

        assertThat(cleanUp(entry, seen(ended, YOUNG))).isEqualTo(new Decision.Already(entry));
    }

    @ParameterizedTest
    @MethodSource("heldThroughTheAnchorOnce")
    void aLeaseHasEndedBeforeItsAnchorWasGrantedAnew(Entry entry) {
        Entry grantedAMonthAgo = anchorHeld(Fence.of(ANCHOR_FENCE.value() + 1));

        assertThat(change(cleanUp(entry, seen(grantedAMonthAgo, YOUNG)))).isEqualTo(Change.remove(KEY, SEEN));
    }

    @ParameterizedTest
    @MethodSource("heldThroughTheAnchorOnce")
    void aLeaseIsRemovedWithItsAnchorAlreadyGone(Entry entry) {
        assertThat(change(cleanUp(entry, ANCHOR_ABSENT))).isEqualTo(Change.remove(KEY, SEEN));
    }

    @ParameterizedTest
    @MethodSource("heldThroughTheAnchorOnce")
    void aLeaseIsRemovedWithItsAnchorAlreadyDeleted(Entry entry) {
        Entry deleted = Entry.empty(ANCHOR, version(72), ANCHOR_FENCE, NOW);

        assertThat(change(cleanUp(entry, seen(deleted, YOUNG)))).isEqualTo(Change.remove(KEY, SEEN));
    }

    /** A unit may be paused for longer than a week, and its attributes are its checkpoint. */
    @Test
    void aUnitOfAFleetIsKeptUntilItIsDeletedOrDone() {
        Entry unit = stored(LeaseState.FREE, grant(THEIRS, null)).withAttributes(version(73), UNIT);
        Entry deleted = unit.withAttributes(version(74), Attributes.NONE);

        assertThat(cleanUpAlone(unit, null)).isEqualTo(new Decision.Already(unit));
        assertThat(change(cleanUpAlone(deleted, null))).isEqualTo(Change.remove(KEY, version(74)));
        assertThat(cleanUpAlone(unit.done(version(75), NOW, UNIT), Duration.ofDays(1)))
                .isInstanceOf(Decision.Write.class);
    }

    @Test
    void anOrderToAFleetIsKeptWhileItIsInForce() {
        Entry order = stored(LeaseState.FREE, grant(THEIRS, null))
                .done(version(73), NOW, Attributes.NONE.with("~control", true));
        Entry revoked = order.withAttributes(version(74), Attributes.NONE.with("~control", false));

        assertThat(cleanUpAlone(order, Duration.ofDays(1))).isEqualTo(new Decision.Already(order));
        assertThat(cleanUpAlone(revoked, Duration.ofDays(1))).isInstanceOf(Decision.Write.class);
    }

    private static Decision cleanUpAlone(Entry entry, @Nullable Duration keepDone) {
        WriteStamp inAMonth = Examples.stamp(FRESH, NOW.plus(Duration.ofDays(30)), Fence.NONE);
        return RULES.decisions().decide(KEY, new LeaseRequest.CleanUp(keepDone), seen(entry, AGES), null, inAMonth);
    }

    private static Decision cleanUp(Entry entry, ObservedEntry anchor) {
        WriteStamp inAMonth = Examples.stamp(FRESH, NOW.plus(Duration.ofDays(30)), Fence.NONE);
        return RULES.decisions().decide(KEY, new LeaseRequest.CleanUp(null), seen(entry, AGES), anchor, inAMonth);
    }
}
