package dev.holdfast.server.limits;

import java.util.HashMap;
import java.util.Map;

/**
 * A number of places shared by clients. A client may have up to four times as many places as are free. So one client
 * alone can take four fifths of all places, and the next one four fifths of the rest. It takes many greedy clients to
 * leave nothing for a newcomer. Thread-safe.
 */
final class FairShares {
    private static final int TIMES_FREE = 4;

    private final long most;
    private final Map<Object, Long> taken = new HashMap<>();
    private long total;

    FairShares(long most) {
        this.most = most;
    }

    /** Whether a client with {@code own} places may take one more while {@code free} are free. */
    static boolean allows(long own, long free) {
        return own < TIMES_FREE * free;
    }

    /**
     * Takes places.
     *
     * @return false, without taking any, if the client's share is exceeded
     */
    synchronized boolean take(Object client, long count) {
        long own = taken.getOrDefault(client, 0L) + count;
        long free = most - total - count;
        if (!allows(own - 1, free + 1)) {
            return false;
        }
        taken.put(client, own);
        total += count;
        return true;
    }

    /** Returns places that were taken. */
    synchronized void leave(Object client, long count) {
        if (count > 0) {
            taken.computeIfPresent(client, (any, own) -> own <= count ? null : own - count);
            total -= count;
        }
    }

    synchronized long total() {
        return total;
    }
}
