package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.server.security.NamespaceRange;
import dev.holdfast.server.watch.WatchedStatuses.Batch;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WatchedStatusesTest {
    private static final WatchScope ALL =
            new WatchScope("ann", List.of(NamespaceRange.startingWith("")), namespace -> true, false);

    private final WatchedStatuses table = new WatchedStatuses();

    private static Key key(int number) {
        return Key.of("a", "key-" + number);
    }

    private static LeaseStatus status(int number, long fence) {
        Entry entry = Entry.empty(key(number), Version.of(new UUID(1, fence)), Fence.of(fence), Instant.EPOCH);
        return new LeaseStatus(entry, LeaseState.FREE, Duration.ZERO);
    }

    @Test
    void aSlowReaderFindsTheLatestStatusOnly() {
        table.put(status(1, 1), 1);
        table.put(status(2, 1), 1);
        table.put(status(1, 2), 1);

        Batch all = table.next(0, 0, ALL);

        assertThat(all.statuses()).extracting(LeaseStatus::key).containsExactly(key(2), key(1));
        assertThat(all.statuses().get(1).fence()).isEqualTo(Fence.of(2));
        assertThat(all.isLast()).isTrue();
    }

    @Test
    void keysThatAScanHasNotFoundAreReportedAsRemoved() {
        table.put(status(1, 1), 1);
        table.put(status(2, 1), 1);
        long before = table.lastChange();
        table.put(status(1, 1), 2);

        assertThat(table.removeUnseen(namespace -> true, 2)).isTrue();

        assertThat(table.next(before, before, ALL).removed()).containsExactly(key(2));
        assertThat(table.next(0, table.lastChange(), ALL).removed())
                .as("for a watch that began later")
                .isEmpty();
    }

    @Test
    void removedKeysAreDroppedWhenAllHaveSeenThemOrWhenTheyAreTooMany() {
        for (int i = 0; i < 10_001; i++) {
            table.put(status(i, 1), 1);
        }
        long before = table.lastChange();
        table.removeUnseen(namespace -> true, 2);
        assertThat(table.bytes()).isZero();
        assertThat(table.remembersSince(before)).as("more than it keeps").isFalse();
        assertThat(table.remembersSince(before + 1)).isTrue();

        table.forgetRemoved(table.lastChange());

        assertThat(table.next(0, 0, ALL).removed()).isEmpty();
        assertThat(table.remembersSince(table.lastChange())).isTrue();
    }

    @Test
    void oneBatchIsBounded() {
        for (int i = 0; i < 1_000; i++) {
            table.put(status(i, 1), 1);
        }

        Batch first = table.next(0, 0, ALL);

        assertThat(first.statuses()).hasSizeLessThanOrEqualTo(256);
        assertThat(first.isLast()).isFalse();
    }
}
