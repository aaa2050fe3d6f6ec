package dev.holdfast.importing;

/** What becomes of one {@link ImportedRow}. */
public enum ImportOutcome {
    /** The store had no entry, and has one now. */
    ADDED,
    /** An earlier import wrote the entry, and the other tool has changed the row since: it was written again. */
    UPDATED,
    /** An earlier import wrote the entry, and nothing has changed since. */
    UNCHANGED,
    /** Holdfast has changed the entry, which goes on from where the row is; it stays as it is. */
    NEWER,
    /** The entry contradicts the row, and stays: done in one of them only, or held by two. */
    CONFLICT,
    /** There is nothing to import: the key is free, and nothing is known of it. */
    EMPTY;

    /** Whether the row is to be written. */
    public boolean isWritten() {
        return this == ADDED || this == UPDATED;
    }
}
