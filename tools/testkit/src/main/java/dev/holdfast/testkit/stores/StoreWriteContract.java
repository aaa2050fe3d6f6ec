package dev.holdfast.testkit.stores;

import static dev.holdfast.testkit.stores.SampleEntries.done;
import static dev.holdfast.testkit.stores.SampleEntries.free;
import static dev.holdfast.testkit.stores.SampleEntries.held;
import static dev.holdfast.testkit.stores.SampleEntries.renewed;
import static dev.holdfast.testkit.stores.SampleEntries.version;
import static dev.holdfast.testkit.stores.SampleEntries.withFence;
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
abstract class StoreWriteContract extends StoreContractBase {
    @Test
    void aWriteWithAStaleVersionConflictsWithTheStoredEntry() {
        Entry first = put(held("a"));
        Entry second = replace(first, renewed(first));

        assertConflict(apply(Change.replace(first.version(), renewed(first))), second);

        assertThat(stored(first.key())).isEqualTo(second);
    }

    @Test
    void aWriteWithAnUnknownVersionConflicts() {
        Entry entry = put(held("a"));

        assertConflict(apply(Change.replace(version(), renewed(entry))), entry);

        assertThat(stored(entry.key())).isEqualTo(entry);
    }

    @Test
    void aReplaceNeverCreatesAnEntry() {
        assertConflict(apply(Change.replace(version(), held("a"))), null);

        assertThat(stored(Key.of("a"))).isNull();
    }

    @Test
    void anInsertNeverOverwritesAnEntry() {
        List<Entry> entries = new ArrayList<>(List.of(held("held"), free("free")));
        entries.addAll(ifDone(done("done")));
        for (Entry entry : entries) {
            put(entry);

            assertConflict(apply(Change.insert(held(entry.key()))), entry);

            assertThat(stored(entry.key())).isEqualTo(entry);
        }
    }

    @Test
    void theSameChangeSentTwiceConflictsWithItself() {
        Change insert = Change.insert(held("a"));
        assertApplied(apply(insert));
        StoredEntry current = assertConflict(apply(insert), insert.next());
        assertThat(current).isNotNull();

        Change replace = Change.replace(current.entry().version(), renewed(current.entry()));
        assertApplied(apply(replace));
        assertConflict(apply(replace), replace.next());
    }

    @Test
    void removingAStaleVersionRemovesNothing() {
        Entry first = put(held("a"));
        Entry second = replace(first, renewed(first));

        assertConflict(apply(Change.remove(first.key(), first.version())), second);

        assertThat(stored(first.key())).isEqualTo(second);
    }

    @Test
    void removingAMissingEntryConflicts() {
        assertConflict(apply(Change.remove(Key.of("a"), version())), null);
    }

    @Test
    void aRemovedEntryIsGoneAndItsVersionNoLongerMatches() {
        Entry entry = put(held("a"));

        assertApplied(apply(Change.remove(entry.key(), entry.version())));

        assertThat(stored(entry.key())).isNull();
        assertConflict(apply(Change.replace(entry.version(), renewed(entry))), null);
        assertThat(stored(entry.key())).isNull();
    }

    @Test
    void aStoreWithAFenceFloorRefusesFencesAtOrBelowARemovedOne() {
        Entry entry = put(withFence(held("a"), 2000));
        assertApplied(apply(Change.remove(entry.key(), entry.version())));

        WriteOutcome sameFence = apply(Change.insert(withFence(held("a"), 2000)));
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
    void theFenceFloorNeverDecreases() {
        Entry low = put(withFence(held("low"), 1000));
        Entry high = put(withFence(held("high"), 5000));
        assertApplied(apply(Change.remove(high.key(), high.version())));
        assertApplied(apply(Change.remove(low.key(), low.version())));

        WriteOutcome between = apply(Change.insert(withFence(held("high"), 5000)));

        assertThat(between.equals(WriteOutcome.APPLIED)).isEqualTo(!keepsFenceFloor());
    }

    @Test
    void aBatchReturnsAnIndependentOutcomePerChangeInOrder() {
        Entry stale = put(held("stale"));
        Entry current = replace(stale, renewed(stale));
        Entry doomed = put(withFence(held("doomed"), 1));
        Entry fresh = put(held("fresh"));

        List<WriteOutcome> outcomes = store.apply(List.of(
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
    void batchesAndReadsMayBeAsLargeAsTheBatchLimit() {
        int limit = store.traits().batchLimit();
        List<Entry> entries =
                IntStream.range(0, limit).mapToObj(i -> held("key-" + i)).toList();

        putAll(entries);

        List<Optional<StoredEntry>> found =
                store.read(entries.stream().map(Entry::key).toList());
        assertThat(found.stream().map(it -> it.orElseThrow().entry())).isEqualTo(entries);
    }

    @Test
    void aReadReturnsEntriesInTheOrderOfTheKeys() {
        Entry a = put(held("a"));
        Entry c = put(free("c"));

        List<Optional<StoredEntry>> found = store.read(List.of(c.key(), Key.of("b"), a.key(), key("ns", "another")));

        assertThat(found.stream().map(it -> it.map(StoredEntry::entry)))
                .containsExactly(Optional.of(c), Optional.empty(), Optional.of(a), Optional.empty());
    }

    @Test
    void anEmptyBatchAndAnEmptyReadReturnNothing() {
        assertThat(store.apply(List.of())).isEmpty();
        assertThat(store.read(List.of())).isEmpty();
    }

    @Test
    void theTraitsStayTheSame() {
        assertThat(store.traits()).isEqualTo(store.traits());
    }

    @Test
    void closingTwiceIsHarmless() {
        store.close();
        store.close();
    }
}
