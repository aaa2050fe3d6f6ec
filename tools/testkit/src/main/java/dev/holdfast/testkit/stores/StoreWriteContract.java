package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of compare-and-set, alone and in batches, and of reads. */
interface StoreWriteContract extends StoreSteps {
    @Test
    default void aWriteWithAStaleVersionConflictsWithTheStoredEntry() {
        var first = put(held("a"));
        var second = replace(first, renewed(first));

        assertConflict(apply(Change.replace(first.version(), renewed(first))), second);

        assertThat(stored(first.key())).isEqualTo(second);
    }

    @Test
    default void aWriteWithAnUnknownVersionConflicts() {
        var entry = put(held("a"));

        assertConflict(apply(Change.replace(version(), renewed(entry))), entry);

        assertThat(stored(entry.key())).isEqualTo(entry);
    }

    @Test
    default void aReplaceNeverCreatesAnEntry() {
        assertConflict(apply(Change.replace(version(), held("a"))), null);

        assertThat(stored(Key.of("a"))).isNull();
    }

    @Test
    default void anInsertNeverOverwritesAnEntry() {
        var entries = new ArrayList<>(List.of(held("held"), free("free")));
        entries.addAll(ifDone(done("done")));
        for (Entry entry : entries) {
            put(entry);

            assertConflict(apply(Change.insert(held(entry.key()))), entry);

            assertThat(stored(entry.key())).isEqualTo(entry);
        }
    }

    @Test
    default void theSameChangeSentTwiceConflictsWithItself() {
        var insert = Change.insert(held("a"));
        assertApplied(apply(insert));
        var current = assertConflict(apply(insert), insert.next());
        assertThat(current).isNotNull();

        var replace = Change.replace(current.entry().version(), renewed(current.entry()));
        assertApplied(apply(replace));
        assertConflict(apply(replace), replace.next());
    }

    @Test
    default void removingAStaleVersionRemovesNothing() {
        var first = put(held("a"));
        var second = replace(first, renewed(first));

        assertConflict(apply(Change.remove(first.key(), first.version())), second);

        assertThat(stored(first.key())).isEqualTo(second);
    }

    @Test
    default void removingAMissingEntryConflicts() {
        assertConflict(apply(Change.remove(Key.of("a"), version())), null);
    }

    @Test
    default void aRemovedEntryIsGoneAndItsVersionNoLongerMatches() {
        var entry = put(held("a"));

        remove(entry);

        assertThat(stored(entry.key())).isNull();
        assertConflict(apply(Change.replace(entry.version(), renewed(entry))), null);
        assertThat(stored(entry.key())).isNull();
    }

    @Test
    default void aStoreWithAFenceFloorRefusesFencesAtOrBelowARemovedOne() {
        var entry = put(withFence(held("a"), 2000));
        remove(entry);

        var sameFence = apply(Change.insert(withFence(held("a"), 2000)));
        if (keepsFenceFloor()) {
            assertConflict(sameFence, null);
            assertThat(((WriteOutcome.Conflict) sameFence).floor()).isGreaterThanOrEqualTo(Fence.of(2000));
            assertThat(stored(entry.key())).isNull();
            put(withFence(held("a"), 2001));
        } else {
            assertApplied(sameFence);
        }
    }

    @Test
    default void theFenceFloorNeverDecreases() {
        var low = put(withFence(held("low"), 1000));
        var high = put(withFence(held("high"), 5000));
        remove(high);
        remove(low);

        var between = apply(Change.insert(withFence(held("high"), 5000)));

        assertThat(between.equals(WriteOutcome.APPLIED)).isEqualTo(!keepsFenceFloor());
    }

    @Test
    default void aBatchReturnsAnIndependentOutcomePerChangeInOrder() {
        var stale = put(held("stale"));
        var current = replace(stale, renewed(stale));
        var doomed = put(withFence(held("doomed"), 1));
        var fresh = put(held("fresh"));

        var outcomes = store().apply(List.of(
                Change.replace(stale.version(), renewed(stale)),
                Change.insert(held("new")),
                Change.insert(held("fresh")),
                Change.remove(doomed.key(), doomed.version()),
                Change.replace(version(), held("missing")),
                Change.insert(held("another"))));

        assertThat(outcomes).hasSize(6);
        assertConflict(outcomes.get(0), current);
        assertApplied(outcomes.get(1));
        assertConflict(outcomes.get(2), fresh);
        assertApplied(outcomes.get(3));
        assertConflict(outcomes.get(4), null);
        assertApplied(outcomes.get(5));
        assertThat(stored(Key.of("new"))).isNotNull();
        assertThat(stored(doomed.key())).isNull();
        assertThat(stored(Key.of("missing"))).isNull();
        assertThat(stored(Key.of("another"))).isNotNull();
    }

    @Test
    default void batchesAndReadsMayBeAsLargeAsTheBatchLimit() {
        int limit = store().traits().batchLimit();
        var entries = IntStream.range(0, limit).mapToObj(i -> held("key-" + i)).toList();

        putAll(entries);

        var found = store().read(entries.stream().map(Entry::key).toList());
        assertThat(found.stream().map(it -> it.orElseThrow().entry())).isEqualTo(entries);
    }

    @Test
    default void aReadReturnsEntriesInTheOrderOfTheKeys() {
        var a = put(held("a"));
        var c = put(free("c"));

        var found = store().read(List.of(c.key(), Key.of("b"), a.key(), key("ns", "another")));

        assertThat(found.stream().map(it -> it.map(StoredEntry::entry)))
                .containsExactly(Optional.of(c), Optional.empty(), Optional.of(a), Optional.empty());
    }

    @Test
    default void anEmptyBatchAndAnEmptyReadReturnNothing() {
        assertThat(store().apply(List.of())).isEmpty();
        assertThat(store().read(List.of())).isEmpty();
    }

    @Test
    default void theTraitsStayTheSame() {
        assertThat(store().traits()).isEqualTo(store().traits());
    }

    @Test
    default void closingTwiceIsHarmless() {
        store().close();
        store().close();
    }
}
