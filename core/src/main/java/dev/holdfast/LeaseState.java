package dev.holdfast;

/** The state of an entry, as stored or as resolved. A stored {@code HELD} may have expired. */
public enum LeaseState {
    /** The key can be acquired. */
    FREE,
    /** Granted to a holder. */
    HELD,
    /** Finished: not granted again until it is reopened. */
    DONE
}
