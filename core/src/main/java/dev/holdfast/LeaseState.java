package dev.holdfast;

/** The state of an entry, as stored or as resolved. A stored {@code HELD} may have expired. */
public enum LeaseState {
    /** Nobody holds the key: it can be acquired. */
    FREE,
    /** Granted to a holder. */
    HELD,
    /** Finished: never granted again until somebody reopens it. */
    DONE
}
