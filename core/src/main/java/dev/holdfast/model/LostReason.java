package dev.holdfast.model;

/** Why a holder no longer holds its lease. */
public enum LostReason {
    /** The term ran out before a renewal was answered, though the store was there (a pause, a sleep, a slow store). */
    EXPIRED,
    /** Another holder was granted the key. */
    TAKEN,
    /** Somebody freed, finished or deleted the key: an operator, or a taker that found its holder silent. */
    EVICTED,
    /** The term ran out while the store could not be reached. */
    STORE_UNREACHABLE
}
