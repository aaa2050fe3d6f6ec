package dev.holdfast.store;

import dev.holdfast.Fence;
import dev.holdfast.StoreException;
import org.jspecify.annotations.Nullable;

/** The outcome of one {@link Change}. */
public sealed interface WriteOutcome {
    /** The change took effect, and is durable. */
    WriteOutcome APPLIED = new Applied();

    /** The change took effect, and is durable. */
    record Applied() implements WriteOutcome {}

    /**
     * The change had no effect, nor will it. A store whose transport may send a request twice answers {@link Failed}
     * with an unknown effect instead: another copy of the request may have been applied, and overwritten since.
     *
     * @param stored the current entry, read after the change was refused; null if there is none
     * @param floor a key without an entry may only be granted a fence above this; {@link Fence#NONE} where the store
     *     keeps no floor
     */
    record Conflict(@Nullable StoredEntry stored, Fence floor) implements WriteOutcome {}

    /**
     * This change failed, independently of the others of its batch. Only a store that sends each change on its own
     * returns this.
     */
    record Failed(StoreException failure) implements WriteOutcome {}

    static WriteOutcome conflict(@Nullable StoredEntry current) {
        return new Conflict(current, Fence.NONE);
    }
}
