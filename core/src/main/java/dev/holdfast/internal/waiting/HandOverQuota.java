package dev.holdfast.internal.waiting;

import dev.holdfast.Token;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The number of times in a row that a process grants a key to its own requests, by hand-overs in most cases. Without a
 * limit, a busy process would keep the key from all others, because a key that is handed over is never free.
 *
 * <p>At the limit the key is released, and this process pauses. A request of another process notices the release
 * meanwhile, and acquires the key. If none does, the limit doubles, so a process that has the key to itself hardly ever
 * pauses. Not thread-safe.
 */
final class HandOverQuota {
    /** Few enough for processes to take turns several times a second, if each holder is done within milliseconds. */
    static final int FEWEST = 16;

    /** A pause after this many hand-overs costs next to nothing. */
    static final int MOST = 512;

    /** Long enough for another process to be notified of the release, and to write. */
    static final Duration PAUSE = Duration.ofMillis(5);

    private int limit = FEWEST;
    /** Grants in a row. */
    private int made;

    private boolean reached;
    /** Whether the next release in this process begins the pause anew. */
    private boolean releasing;

    private long pauseEndNanos;
    /** The last grant to a request of this process. */
    private @Nullable Token granted;

    HandOverQuota(long nowNanos) {
        pauseEndNanos = nowNanos;
    }

    /** Counts a hand-over, unless the limit is reached. Then the pause begins, and the key is to be released. */
    boolean allowsNext(long nowNanos) {
        reached = made >= limit;
        made = reached ? 0 : made + 1;
        if (reached) {
            releasing = true;
            beginPause(nowNanos); // The store may report the release before it returns.
        }
        return !reached;
    }

    /** A release in this process has returned. */
    void released(long nowNanos) {
        if (releasing) {
            releasing = false;
            beginPause(nowNanos);
        }
    }

    private void beginPause(long nowNanos) {
        pauseEndNanos = nowNanos + PAUSE.toNanos();
    }

    /** The rest of the pause; not positive if there is none. This process must not attempt to acquire before its end. */
    long pauseLeftNanos(long nowNanos) {
        return pauseEndNanos - nowNanos;
    }

    /** The requests of this process have the key again, not by a hand-over. */
    void regained() {
        if (reached) {
            limit = Math.min(MOST, 2 * limit);
        }
        reached = false;
        made++;
    }

    void granted(Token token) {
        granted = token;
    }

    /** An attempt found that {@code token} holds the key. It is often another request of this process. */
    void heldBy(Token token) {
        if (!token.equals(granted)) {
            reached = false;
            made = 0;
            limit = FEWEST;
        }
    }
}
