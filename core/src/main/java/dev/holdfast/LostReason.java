package dev.holdfast;

/** Why a holder no longer holds its lease. */
public enum LostReason {
    /** The term ran out though the store was there: nobody renewed it in time (a pause, a sleep, no auto-renewal). */
    EXPIRED,
    /** Another holder was granted the key. */
    TAKEN,
    /** Somebody freed, finished or deleted the key: an operator, or a taker that found its holder silent. */
    EVICTED,
    /** The term ran out while a renewal was not answered, or answered with an error. */
    STORE_UNREACHABLE
}
