package dev.holdfast.server.watch;

import dev.holdfast.server.wire.WireErrors;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bytes that all watches together have written and their clients have not read. Watchers wait for their turn while
 * these are too many; one client alone cannot use up all of them. While watchers wait, watches whose client has read
 * nothing for some time are ended.
 *
 * <p>Thread-safe; calls watchers without holding its lock.
 */
final class WatchSendBudget {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The part that one client may use, so that others are served meanwhile. */
    private static final int CLIENT_SHARE = 4;

    private final long mostBytes;
    /** The oldest first. */
    private final Map<StatusWatch, Unread> unread = new LinkedHashMap<>();

    private final Set<StatusWatch> waiting = new LinkedHashSet<>();
    private final Map<String, Long> bytesByClient = new HashMap<>();
    private long bytes;

    /**
     * What a watcher has written. The connection takes a message when the one before it was read, so two may be unread.
     */
    private record Unread(int oldBytes, int newBytes, long sinceNanos) {
        int bytes() {
            return oldBytes + newBytes;
        }
    }

    WatchSendBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Whether {@code statusWatch} may write; if not, {@link StatusWatch#ready} is called later. */
    synchronized boolean mayWrite(StatusWatch statusWatch) {
        if (hasRoom(statusWatch)) {
            waiting.remove(statusWatch);
            return true;
        }
        waiting.add(statusWatch);
        return false;
    }

    private boolean hasRoom(StatusWatch statusWatch) {
        return bytes < mostBytes
                && bytesByClient.getOrDefault(statusWatch.scope().client(), 0L) < mostBytes / CLIENT_SHARE;
    }

    private void count(StatusWatch statusWatch, int change) {
        bytes += change;
        bytesByClient.merge(
                statusWatch.scope().client(),
                (long) change,
                (before, more) -> before + more == 0 ? null : before + more);
    }

    /** The watcher has written this; of what it wrote before, all but the last message was read. */
    synchronized void wrote(StatusWatch statusWatch, int count, long nowNanos) {
        Unread before = unread.remove(statusWatch);
        Unread now = new Unread(before == null ? 0 : before.newBytes, count, nowNanos);
        count(statusWatch, now.bytes() - (before == null ? 0 : before.bytes()));
        unread.put(statusWatch, now);
    }

    synchronized boolean hasUnread(StatusWatch statusWatch) {
        return unread.containsKey(statusWatch);
    }

    /** All that the watcher wrote was read, or is no longer wanted. */
    void clear(StatusWatch statusWatch) {
        synchronized (this) {
            Unread before = unread.remove(statusWatch);
            if (before != null) {
                count(statusWatch, -before.bytes());
            }
        }
        wakeNext();
    }

    void leave(StatusWatch statusWatch) {
        synchronized (this) {
            waiting.remove(statusWatch);
        }
        clear(statusWatch);
    }

    /** Gives the next waiting watcher its turn; that one wakes the next. */
    void wakeNext() {
        Optional<StatusWatch> next;
        synchronized (this) {
            next = waiting.stream().filter(this::hasRoom).findFirst();
            next.ifPresent(waiting::remove);
        }
        next.ifPresent(StatusWatch::ready);
    }

    /** Ends the watches that keep others waiting. */
    void endUnread(long nowNanos) {
        List<StatusWatch> ended = new ArrayList<>();
        synchronized (this) {
            if (waiting.isEmpty()) {
                return;
            }
            unread.forEach((statusWatch, what) -> {
                if (nowNanos - what.sinceNanos > PATIENCE.toNanos()) {
                    ended.add(statusWatch);
                }
            });
        }
        ended.forEach(statusWatch -> statusWatch.fail(StatusProto.toStatusRuntimeException(WireErrors.exhausted(
                "SLOW_READER", "nothing was read for " + PATIENCE.toSeconds() + " s while others waited", PATIENCE))));
    }
}
