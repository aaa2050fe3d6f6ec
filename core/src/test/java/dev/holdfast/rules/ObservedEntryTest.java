package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.OURS;
import static dev.holdfast.rules.Examples.held;
import static dev.holdfast.rules.Examples.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The time since an answer first showed a beat: the only measure of a store without a clock. */
class ObservedEntryTest {
    private static final StoredEntry HELD = new StoredEntry(held(OURS), null);
    private static final ObservedEntry FIRST = ObservedEntry.of(HELD, 1, 2, 1_000, null);

    @Test
    void aBeatIsFirstSeenWithTheFirstAnswer() {
        assertThat(FIRST.beatSeenNanos()).isEqualTo(1_000);
        assertThat(FIRST.answeredNanos()).isEqualTo(1_000);
    }

    @Test
    void anUnchangedBeatKeepsTheTimeWhenItWasFirstSeen() {
        Entry updated = HELD.entry().withVersion(version(101));
        ObservedEntry next = ObservedEntry.of(new StoredEntry(updated, null), 3, 4, 5_000, FIRST);

        assertThat(next.beatSeenNanos()).isEqualTo(1_000);
        assertThat(next.answeredNanos()).isEqualTo(5_000);
        assertThat(next.entry()).isEqualTo(updated);
    }

    @Test
    void anotherBeatIsCountedAnew() {
        Grant grant = Objects.requireNonNull(HELD.entry().grant());
        Entry renewed = HELD.entry()
                .renewed(
                        version(101),
                        Fence.of(42),
                        grant.renewed(Beat.of(version(101)), grant.term()),
                        HELD.entry().attributes());

        assertThat(ObservedEntry.of(new StoredEntry(renewed, null), 3, 4, 5_000, FIRST)
                        .beatSeenNanos())
                .isEqualTo(5_000);
    }

    @Test
    void aMissingEntryHasNoBeat() {
        StoredEntry neverGranted = new StoredEntry(Entry.empty(KEY, version(1), Fence.NONE, Examples.NOW), null);
        ObservedEntry gone = ObservedEntry.of(null, 3, 4, 5_000, FIRST);

        assertThat(gone.entry()).isNull();
        assertThat(gone.beatSeenNanos()).isEqualTo(5_000);
        assertThat(ObservedEntry.of(neverGranted, 3, 4, 5_000, FIRST).beatSeenNanos())
                .isEqualTo(5_000);
        assertThat(ObservedEntry.of(HELD, 5, 6, 7_000, gone).beatSeenNanos()).isEqualTo(7_000);
        assertThat(ObservedEntry.of(null, 5, 6, 7_000, gone).beatSeenNanos()).isEqualTo(7_000);
    }
}
