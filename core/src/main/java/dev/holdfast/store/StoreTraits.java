package dev.holdfast.store;

import dev.holdfast.history.GrantHistory;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;

/**
 * The properties of a store that the pipeline needs.
 *
 * @param lanes the useful number of concurrent calls of {@link LeaseStore#apply}; 0 if calls never block, so that they
 *     may run on any thread, the caller's included
 * @param batchLimit the most changes or keys of one call
 * @param step the farthest jump, or error, of the clock that measures the age of beats; added to every wait before a
 *     takeover
 * @param dialect the differences because another tool uses the same table
 * @param longestCall the longest time of a call before the store itself fails it; {@link #UNBOUNDED} if that is not
 *     known. A call runs on its caller's own thread only if it ends before the caller's time is over
 * @param history the most lines in the history of a key; 0 for none. The options of a client may choose another number.
 */
public record StoreTraits(
        int lanes, int batchLimit, Duration step, StoreDialect dialect, Duration longestCall, int history) {
    /** Calls may take any time. */
    public static final Duration UNBOUNDED = Duration.ofSeconds(Long.MAX_VALUE);

    public StoreTraits {
        if (lanes < 0 || lanes > 64) {
            throw ArgumentCheck.bad("lanes", lanes, "0 to 64");
        }
        if (batchLimit < 1) {
            throw ArgumentCheck.bad("batchLimit", batchLimit, ">= 1");
        }
        if (step.isNegative()) {
            throw ArgumentCheck.bad("step", step, ">= PT0S");
        }
        GrantHistory.requireLength(history);
        if (longestCall.isNegative()) {
            throw ArgumentCheck.bad("longestCall", longestCall, ">= PT0S");
        }
    }

    /** The traits of a store with histories of the usual length. */
    public StoreTraits(int lanes, int batchLimit, Duration step, StoreDialect dialect, Duration longestCall) {
        this(lanes, batchLimit, step, dialect, longestCall, GrantHistory.USUAL_LINES);
    }

    public StoreTraits(int lanes, int batchLimit, Duration step, StoreDialect dialect) {
        this(lanes, batchLimit, step, dialect, UNBOUNDED);
    }

    /** The traits of a store in Holdfast's own layout. */
    public StoreTraits(int lanes, int batchLimit, Duration step) {
        this(lanes, batchLimit, step, StoreDialect.NATIVE);
    }

    /** The same traits, for a store that fails calls by itself after {@code newLongest}. */
    public StoreTraits withLongestCall(Duration newLongest) {
        return new StoreTraits(lanes, batchLimit, step, dialect, newLongest, history);
    }

    /** The same traits, with another length of histories. */
    public StoreTraits withHistory(int newHistory) {
        return new StoreTraits(lanes, batchLimit, step, dialect, longestCall, newHistory);
    }
}
