package dev.holdfast.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoredEntry;
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
    void largeEntriesAreBoundedByTheirBytes() {
        int bytes = 32_000;
        note(CAPACITY, bytes);

        assertThat(remembered(CAPACITY) * bytes).isBetween((long) bytes, (long) CAPACITY * 1024 + 16L * bytes);
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
}
