package dev.holdfast.server.watch;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest status of every watched key, stored once for all watches. Rows are ordered by their last change. So a
 * watch remembers only the number of the last change it has seen. A slow watch finds only the latest status of each
 * key.
 *
 * <p>Removed keys stay as rows without a status until all watches have seen the removal. Their number is bounded;
 * watches that are too slow for this bound cannot continue.
 *
 * <p>Thread-safe; its lock is a leaf.
 */
final class WatchedStatuses {
    /** The maximum number of removed keys kept for slow watches: about 5 MB with names of ordinary length. */
    private static final int MOST_REMOVED = 10_000;

    /**
     * The maximum number of rows in one batch: small enough that other streams of the same connection get their turn.
     */
    private static final int BATCH_ROWS = 256;

    /** The size of one batch when it is sent; attributes may be large. */
    private static final int BATCH_BYTES = 64 << 10;

    /** The maximum number of rows that one call visits, so that no call takes long. */
    private static final int ROWS_AT_A_TIME = 4_096;

    /** The size of a sent status without its texts and attributes. */
    private static final int SENT_BYTES = 100;

    /** The size of the objects and map entries of one row, measured with short names and no attributes. */
    private static final int ROW_BYTES = 900;

    private final Map<Key, Row> rows = new HashMap<>();
    private final NavigableMap<Long, Row> byChange = new TreeMap<>();
    private final NavigableMap<Long, Row> removed = new TreeMap<>();
    private long lastChange;
    /** The newest change of a removed key that is no longer kept. */
    private long forgottenChange;

    private long bytes;

    private static final class Row {
        private final Key key;
        private @Nullable LeaseStatus status;
        private long change;
        private long scan;

        Row(Key key) {
            this.key = key;
        }
    }

    /**
     * A part of the changes after a given one.
     *
     * @param lastChange the last change that was visited
     * @param isLast whether there are no more changes
     * @param bytes the estimated size of the message
     */
    record Batch(List<LeaseStatus> statuses, List<Key> removed, long lastChange, boolean isLast, int bytes) {}

    /** The estimated memory that a status takes here. */
    static int bytes(LeaseStatus status) {
        return ROW_BYTES + 2 * textLength(status) + 2 * status.attributes().encodedSize();
    }

    private static int textLength(LeaseStatus status) {
        Key key = status.key();
        return key.namespace().length()
                + key.name().length()
                + status.holder().map(holder -> holder.name().length()).orElse(0);
    }

    private static int sentBytes(LeaseStatus status) {
        return SENT_BYTES + textLength(status) + 2 * status.attributes().encodedSize();
    }

    /** Returns whether this is a change. */
    synchronized boolean put(LeaseStatus status, long scan) {
        Row row = rows.computeIfAbsent(status.key(), Row::new);
        LeaseStatus before = row.status;
        row.status = status;
        row.scan = scan;
        bytes += bytes(status) - (before == null ? 0 : bytes(before));
        if (!differ(before, status)) {
            return false;
        }
        changed(row);
        return true;
    }

    /** Returns whether this is a change. */
    synchronized boolean remove(Key key) {
        Row row = rows.get(key);
        if (row == null || row.status == null) {
            return false;
        }
        bytes -= bytes(row.status);
        row.status = null;
        changed(row);
        if (removed.size() > MOST_REMOVED) {
            forgetRemoved(removed.firstKey());
        }
        return true;
    }

    private void changed(Row row) {
        byChange.remove(row.change);
        removed.remove(row.change);
        row.change = ++lastChange;
        byChange.put(row.change, row);
        if (row.status == null) {
            removed.put(row.change, row);
        }
    }

    /**
     * Removes the keys of {@code namespaces} that the scan with this number has not found.
     *
     * @return whether there were any
     */
    synchronized boolean removeUnseen(Predicate<String> namespaces, long scan) {
        List<Key> unseen = new ArrayList<>();
        for (Row row : rows.values()) {
            if (row.scan < scan && row.status != null && namespaces.test(row.key.namespace())) {
                unseen.add(row.key);
            }
        }
        unseen.forEach(this::remove);
        return !unseen.isEmpty();
    }

    /** Drops all rows of other namespaces, which are no longer watched. */
    synchronized void retain(Predicate<String> namespaces) {
        rows.values().removeIf(row -> {
            if (namespaces.test(row.key.namespace())) {
                return false;
            }
            byChange.remove(row.change);
            removed.remove(row.change);
            bytes -= row.status == null ? 0 : bytes(row.status);
            return true;
        });
    }

    synchronized void clear() {
        retain(namespace -> false);
    }

    /** Drops the removed keys that all watches have seen. */
    synchronized void forgetRemoved(long upToChange) {
        NavigableMap<Long, Row> seen = removed.headMap(upToChange, true);
        if (!seen.isEmpty()) {
            forgottenChange = seen.lastKey();
            seen.values().forEach(row -> rows.remove(row.key));
            seen.keySet().forEach(byChange::remove);
            seen.clear();
        }
    }

    /** Whether all keys removed since that change are still kept. */
    synchronized boolean remembersSince(long change) {
        return change >= forgottenChange;
    }

    /**
     * The next changes after {@code change}.
     *
     * @param removedAfter removed keys are reported only if they were removed after that change
     */
    synchronized Batch next(long change, long removedAfter, WatchScope scope) {
        List<LeaseStatus> statuses = new ArrayList<>();
        List<Key> gone = new ArrayList<>();
        long last = change;
        int size = 0;
        int seen = 0;
        for (Row row : byChange.tailMap(change, false).values()) {
            if (statuses.size() + gone.size() == BATCH_ROWS || size >= BATCH_BYTES || seen == ROWS_AT_A_TIME) {
                return new Batch(statuses, gone, last, false, size);
            }
            seen++;
            last = row.change;
            if (!scope.includes(row.key.namespace())) {
                continue;
            }
            if (row.status != null) {
                statuses.add(row.status);
                size += sentBytes(row.status);
            } else if (row.change > removedAfter) {
                gone.add(row.key);
                size += SENT_BYTES;
            }
        }
        return new Batch(statuses, gone, last, true, size);
    }

    synchronized long lastChange() {
        return lastChange;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized NavigableMap<String, Long> bytesByNamespace() {
        NavigableMap<String, Long> sums = new TreeMap<>();
        for (Row row : rows.values()) {
            if (row.status != null) {
                sums.merge(row.key.namespace(), (long) bytes(row.status), Long::sum);
            }
        }
        return sums;
    }

    /** Whether watches must be notified: of every difference except renewals. */
    private static boolean differ(@Nullable LeaseStatus before, LeaseStatus after) {
        return before == null
                || before.state() != after.state()
                || before.entry().state() != after.entry().state()
                || !before.fence().equals(after.fence())
                || before.entry().grants() != after.entry().grants()
                || !before.attributes().equals(after.attributes())
                || !Objects.equals(before.entry().doneAt(), after.entry().doneAt());
    }
}
