package dev.holdfast.importing;

/** The outcome of the import of one {@link ImportedRow}. */
public enum ImportOutcome {
    /** The store had no entry, and has one now. */
    ADDED,
    /** An earlier import wrote the entry, and the other tool has changed the row since: it was written again. */
    UPDATED,
    /** An earlier import wrote the entry, and nothing has changed since. */
    UNCHANGED,
    /** Holdfast has changed the entry since, consistently with the row. The entry is kept. */
    NEWER,
    /** The entry contradicts the row, and is kept: done in one of them only, or held by two holders. */
    CONFLICT,
    /** There is nothing to import: the key is free, and the row has no other data. */
    EMPTY;

    /** Whether the row is to be written. */
    public boolean isWritten() {
        return this == ADDED || this == UPDATED;
    }
}
