package dev.holdfast.server.watch;

import dev.holdfast.server.wire.WireErrors;
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
 * The budget for bytes that all watches together have written and their clients have not read. Watches wait for their
 * turn while the budget is used up; one client alone cannot use all of it. While watches wait, other watches with
 * clients that have read nothing for some time are ended.
 *
 * <p>Thread-safe; calls watches without holding its lock.
 */
final class WatchSendBudget {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The fraction that one client may use, so that others are served meanwhile. */
    private static final int CLIENT_SHARE = 4;

    private final long mostBytes;
    /** The oldest first. */
    private final Map<StatusWatch, Unread> unread = new LinkedHashMap<>();

    private final Set<StatusWatch> waiting = new LinkedHashSet<>();
    private final Map<String, Long> bytesByClient = new HashMap<>();
    private long bytes;

    /**
     * The unread bytes of one watch. The connection takes a message when the previous one was read, so two may be
     * unread.
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

    /**
     * Records that a watch has written {@code count} bytes. Of its earlier messages, all but the last one have been
     * read.
     */
    synchronized void wrote(StatusWatch statusWatch, int count, long nowNanos) {
        Unread before = unread.remove(statusWatch);
        Unread now = new Unread(before == null ? 0 : before.newBytes, count, nowNanos);
        count(statusWatch, now.bytes() - (before == null ? 0 : before.bytes()));
        unread.put(statusWatch, now);
    }

    synchronized boolean hasUnread(StatusWatch statusWatch) {
        return unread.containsKey(statusWatch);
    }

    /** Records that everything the watch wrote was read, or is no longer wanted. */
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

    /** Gives the next waiting watch its turn; that watch wakes the next one. */
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
            unread.forEach((statusWatch, pending) -> {
                if (nowNanos - pending.sinceNanos > PATIENCE.toNanos()) {
                    ended.add(statusWatch);
                }
            });
        }
        ended.forEach(statusWatch -> statusWatch.fail(WireErrors.exhausted(
                "SLOW_READER", "nothing was read for " + PATIENCE.toSeconds() + " s while others waited", PATIENCE)));
    }
}
