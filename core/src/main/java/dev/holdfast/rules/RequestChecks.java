package dev.holdfast.rules;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;

/** Checks of the arguments of requests, for local and remote callers. */
public final class RequestChecks {
    private RequestChecks() {}

    /** A wait in nanoseconds, capped so that sums with it do not overflow. */
    public static long waitNanos(Duration wait) {
        if (wait.isNegative()) {
            throw ArgumentCheck.bad("wait", wait, ">= PT0S");
        }
        return ArgumentCheck.cappedNanos(wait);
    }

    /** @throws IllegalArgumentException if {@code key} is reserved for Holdfast */
    public static void requireNotReserved(Key key) {
        if (key.isReserved()) {
            throw ArgumentCheck.bad(
                    "namespace",
                    key.namespace(),
                    "one that does not begin with " + Key.RESERVED_PREFIX + ", which is reserved for Holdfast");
        }
    }

    /** The same, but {@code holder} may acquire its own anchor. */
    public static void requireNotReserved(Key key, Holder holder) {
        if (!key.isAnchorOf(holder)) {
            requireNotReserved(key);
        }
    }

    public static void requireMayBeDone(Key key) {
        if (key.isAnchor()) {
            throw ArgumentCheck.bad("key", key, "not an anchor, as an anchor is never done");
        }
    }
}
