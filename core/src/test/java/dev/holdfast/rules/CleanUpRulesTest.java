package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.ANCHOR;
import static dev.holdfast.rules.Examples.ANCHOR_FENCE;
import static dev.holdfast.rules.Examples.FRESH;
import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.NOW;
import static dev.holdfast.rules.Examples.RULES;
import static dev.holdfast.rules.Examples.SEEN;
import static dev.holdfast.rules.Examples.THEIRS;
import static dev.holdfast.rules.Examples.THROUGH_ANCHOR;
import static dev.holdfast.rules.Examples.anchorHeld;
import static dev.holdfast.rules.Examples.change;
import static dev.holdfast.rules.Examples.early;
import static dev.holdfast.rules.Examples.grant;
import static dev.holdfast.rules.Examples.heldThroughAnchor;
import static dev.holdfast.rules.Examples.seen;
import static dev.holdfast.rules.Examples.stored;
import static dev.holdfast.rules.Examples.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clean-up judges a lease that was held through an anchor by the anchor as it was read after the lease. */
class CleanUpRulesTest {
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

    private static Decision cleanUp(Entry entry, ObservedEntry anchor) {
        WriteStamp inAMonth = Examples.stamp(FRESH, NOW.plus(Duration.ofDays(30)), Fence.NONE);
        return RULES.decisions().decide(KEY, new LeaseRequest.CleanUp(null), seen(entry, AGES), anchor, inAMonth);
    }
}
