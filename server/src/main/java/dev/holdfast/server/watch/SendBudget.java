package dev.holdfast.server.watch;

import dev.holdfast.server.wire.Errors;
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
final class SendBudget {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The part that one client may use, so that others are served meanwhile. */
    private static final int CLIENT_SHARE = 4;

    private final long mostBytes;
    /** The oldest first. */
    private final Map<Watcher, Unread> unread = new LinkedHashMap<>();

    private final Set<Watcher> waiting = new LinkedHashSet<>();
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

    SendBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Whether {@code watcher} may write; if not, {@link Watcher#ready} is called later. */
    synchronized boolean mayWrite(Watcher watcher) {
        if (hasRoom(watcher)) {
            waiting.remove(watcher);
            return true;
        }
        waiting.add(watcher);
        return false;
    }

    private boolean hasRoom(Watcher watcher) {
        return bytes < mostBytes && bytesByClient.getOrDefault(watcher.scope().client(), 0L) < mostBytes / CLIENT_SHARE;
    }

    private void count(Watcher watcher, int change) {
        bytes += change;
        bytesByClient.merge(
                watcher.scope().client(), (long) change, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** The watcher has written this; of what it wrote before, all but the last message was read. */
    synchronized void wrote(Watcher watcher, int count, long nowNanos) {
        Unread before = unread.remove(watcher);
        Unread now = new Unread(before == null ? 0 : before.newBytes, count, nowNanos);
        count(watcher, now.bytes() - (before == null ? 0 : before.bytes()));
        unread.put(watcher, now);
    }

    synchronized boolean hasUnread(Watcher watcher) {
        return unread.containsKey(watcher);
    }

    /** All that the watcher wrote was read, or is no longer wanted. */
    void clear(Watcher watcher) {
        synchronized (this) {
            Unread before = unread.remove(watcher);
            if (before != null) {
                count(watcher, -before.bytes());
            }
        }
        wakeNext();
    }

    void leave(Watcher watcher) {
        synchronized (this) {
            waiting.remove(watcher);
        }
        clear(watcher);
    }

    /** Gives the next waiting watcher its turn; that one wakes the next. */
    void wakeNext() {
        Optional<Watcher> next;
        synchronized (this) {
            next = waiting.stream().filter(this::hasRoom).findFirst();
            next.ifPresent(waiting::remove);
        }
        next.ifPresent(Watcher::ready);
    }

    /** Ends the watches that keep others waiting. */
    void endUnread(long nowNanos) {
        List<Watcher> ended = new ArrayList<>();
        synchronized (this) {
            if (waiting.isEmpty()) {
                return;
            }
            unread.forEach((watcher, what) -> {
                if (nowNanos - what.sinceNanos > PATIENCE.toNanos()) {
                    ended.add(watcher);
                }
            });
        }
        ended.forEach(watcher -> watcher.fail(StatusProto.toStatusRuntimeException(Errors.exhausted(
                "SLOW_READER", "nothing was read for " + PATIENCE.toSeconds() + " s while others waited", PATIENCE))));
    }
}
