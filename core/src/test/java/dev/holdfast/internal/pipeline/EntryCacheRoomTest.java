package dev.holdfast.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The capacity of the cache. */
class EntryCacheRoomTest {
    private static final int CAPACITY = 1_600;

    private final EntryCache cache = new EntryCache(CAPACITY);

    private static Key key(int i) {
        return Key.of("orders", "key-" + i);
    }

    private static StoredEntry entry(Key key, int attributeBytes) {
        Entry empty = Entry.empty(key, Version.of(UUID.randomUUID()), Fence.NONE, Instant.EPOCH);
        Attributes attributes =
                attributeBytes == 0 ? Attributes.NONE : Attributes.of("large", "x".repeat(attributeBytes));
        return new StoredEntry(empty.withAttributes(Version.of(UUID.randomUUID()), attributes), Duration.ZERO);
    }

    private void note(int count, int attributeBytes) {
        for (int i = 0; i < count; i++) {
            cache.note(key(i), entry(key(i), attributeBytes), i + 1, i + 1, 0);
        }
    }

    private long remembered(int count) {
        return IntStream.range(0, count).filter(i -> cache.get(key(i)) != null).count();
    }

    @Test
    void smallEntriesAreBoundedByTheirNumber() {
        note(CAPACITY * 2, 0);

        assertThat(remembered(CAPACITY * 2)).isBetween(CAPACITY / 2L, (long) CAPACITY);
    }

    @Test
    void aFullCacheKeepsAsManyEntriesAsItsCapacity() {
        EntryCache small = new EntryCache(32);
        for (int i = 0; i < 1_000; i++) {
            small.note(key(i), entry(key(i), 0), i + 1, i + 1, 0);
        }

        assertThat(IntStream.range(0, 1_000).filter(i -> small.get(key(i)) != null))
                .hasSize(32);
        assertThat(small.get(key(999))).as("the last one").isNotNull();
    }

    @Test
    void largeEntriesAreBoundedByTheirBytes() {
        int bytes = 32_000;
        note(CAPACITY, bytes);

        assertThat(remembered(CAPACITY) * bytes).isBetween((long) bytes, (long) CAPACITY * 1024 + 16L * bytes);
    }

    @Test
    void evictedEntriesLeaveTheirRoomToOthers() {
        note(CAPACITY, 32_000);
        for (int i = 0; i < CAPACITY; i++) {
            Key small = Key.of("other", "key-" + i);
            cache.note(small, entry(small, 0), 10_000 + i, 10_000 + i, 0);
        }

        assertThat(IntStream.range(0, CAPACITY).filter(i -> cache.get(Key.of("other", "key-" + i)) != null))
                .hasSizeGreaterThan(CAPACITY / 2);
    }

    @Test
    void historiesCountAsBytes() {
        List<PastGrant> lines = new ArrayList<>();
        for (int i = 1; i <= GrantHistory.MOST_LINES; i++) {
            Holder holder = Holder.of(i + "x".repeat(250));
            lines.add(new PastGrant(i, holder, Fence.of(i), Instant.EPOCH, GrantEnd.RELEASED, Instant.EPOCH));
        }
        GrantHistory history = GrantHistory.of(Instant.EPOCH, lines);
        int bytes = history.encodedSize();
        for (int i = 0; i < CAPACITY; i++) {
            Entry entry = entry(key(i), 0).entry().withHistory(history);
            cache.note(key(i), new StoredEntry(entry, Duration.ZERO), i + 1, i + 1, 0);
        }

        assertThat(bytes).isGreaterThan(12_000);
        assertThat(remembered(CAPACITY) * bytes).isBetween((long) bytes, (long) CAPACITY * 1024 + 16L * bytes);
    }

    @Test
    void anEntryLargerThanItsShareStaysUntilTheNextOne() {
        EntryCache small = new EntryCache(1);

        small.note(key(0), entry(key(0), 32_000), 1, 2, 0);

        assertThat(small.get(key(0))).isNotNull();
    }

    @Test
    void anEntryThatIsNotedAgainCountsOnce() {
        note(400, 0);

        for (int i = 0; i < 100; i++) {
            cache.note(key(0), entry(key(0), 32_000), 1_000 + i, 1_000 + i, 0);
        }

        assertThat(remembered(400)).isEqualTo(400);
    }

    /** Without the age of its beat an entry is watched, and has room of its own. */
    @Test
    void anEntryThatIsWatchedNowAndThenCountsOnce() {
        note(400, 0);

        for (int i = 0; i < 100; i++) {
            Entry large = held(key(0), 32_000);
            cache.note(key(0), new StoredEntry(large, i % 2 == 0 ? null : Duration.ZERO), 1_000 + i, 1_000 + i, 0);
        }

        assertThat(remembered(400)).isEqualTo(400);
    }

    @Test
    void aWatchedEntryIsForgottenForANewerAnswerWithAnAge() {
        cache.note(key(0), new StoredEntry(held(key(0), 0), null), 1, 2, 0);
        StoredEntry newer = entry(key(0), 0);
        cache.note(key(0), newer, 3, 4, 0);
        StoredEntry newest = new StoredEntry(held(key(0), 0), null);
        cache.note(key(0), newest, 5, 6, 0);

        assertThat(cache.entry(key(0))).isEqualTo(newest.entry());
    }

    @Test
    void aListingTakesFreeRoomOnly() {
        scan(CAPACITY * 2);
        assertThat(remembered(CAPACITY * 2)).isBetween(CAPACITY / 2L, (long) CAPACITY);

        EntryCache small = new EntryCache(1);
        Key read = key(0);
        small.note(read, entry(read, 0), 1, 2, 0);
        for (int i = 1; i < 200; i++) {
            small.noteScanned(entry(key(i), 0), 10 + i, 10 + i, 0);
        }
        assertThat(small.get(read)).as("an entry that was read by itself").isNotNull();
    }

    @Test
    void aListingBringsKnownEntriesUpToDateInAFullCache() {
        note(CAPACITY * 2, 0);
        Key known = key(CAPACITY * 2 - 1);
        StoredEntry newer = entry(known, 0);

        cache.noteScanned(newer, 100_000, 100_000, 0);

        assertThat(cache.entry(known)).isEqualTo(newer.entry());
    }

    @Test
    void aListingLeavesTheRoomOfLargeEntriesAlone() {
        EntryCache small = new EntryCache(32); // Two entries, or two kilobytes, in each part.
        small.note(key(0), entry(key(0), 32_000), 1, 2, 0);
        for (int i = 1; i < 200; i++) {
            small.noteScanned(entry(key(i), 0), 10 + i, 10 + i, 0);
        }

        assertThat(small.get(key(0))).isNotNull();
    }

    private void scan(int count) {
        for (int i = 0; i < count; i++) {
            cache.noteScanned(entry(key(i), 0), i + 1, i + 1, 0);
        }
    }

    private static Entry held(Key key, int attributeBytes) {
        Version version = Version.of(UUID.randomUUID());
        Grant grant = new Grant(
                Token.of(UUID.randomUUID()),
                Holder.of("them"),
                Term.ofMillis(1_000),
                Beat.of(version),
                Instant.EPOCH,
                null);
        Attributes attributes = entry(key, attributeBytes).entry().attributes();
        return Entry.empty(key, version, Fence.NONE, Instant.EPOCH).granted(version, Fence.of(1), grant, attributes);
    }
}
