package dev.holdfast;

/** The reason of a loss. */
public enum LostReason {
    /** The term ended although the store was available: it was not renewed in time (a pause, a sleep, no auto-renewal). */
    EXPIRED,
    /** Another holder was granted the key. */
    TAKEN,
    /** The key was released, finished or deleted: by an operator, or by a client that found it expired. */
    EVICTED,
    /** The term ended while a renewal had no answer, or failed. */
    STORE_UNREACHABLE
}
