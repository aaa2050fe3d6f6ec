package dev.holdfast.service;

import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

/** A transaction that the caller began, and will commit or roll back, on the database of the store. */
public interface CallerTransaction {
    /**
     * Reads the entry of a key, and locks it: until the transaction ends, no other writer changes it.
     *
     * @return null if the database has no such entry
     */
    @Nullable
    StoredEntry lock(Key key);

    /** Writes a change. It takes effect with the commit. */
    WriteOutcome apply(Change change);
}
