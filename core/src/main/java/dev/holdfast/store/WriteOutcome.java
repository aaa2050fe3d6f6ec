package dev.holdfast.store;

import dev.holdfast.Fence;
import dev.holdfast.StoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of one {@link Change}. */
public sealed interface WriteOutcome {
    /** The change took effect, and is durable. */
    WriteOutcome APPLIED = new Applied();

    /** The change took effect, and is durable. */
    record Applied() implements WriteOutcome {}

    /**
     * The change had no effect, nor will it. A store whose transport may send a request twice answers {@link Failed} with
     * an unknown effect instead: another copy of the request may have been applied, and overwritten since.
     *
     * @param stored what is there instead, read after the change was refused; null if there is nothing
     * @param floor no fence up to this may be granted to a key that has no entry; {@link Fence#NONE} where the store
     *     keeps no floor
     */
    record Conflict(@Nullable StoredEntry stored, Fence floor) implements WriteOutcome {
        public Optional<StoredEntry> current() {
            return Optional.ofNullable(stored);
        }
    }

    /**
     * This change alone is in trouble, whatever became of the others of its batch: a store that sends each of them on
     * its own can tell.
     */
    record Failed(StoreException failure) implements WriteOutcome {}

    static WriteOutcome conflict(@Nullable StoredEntry current) {
        return new Conflict(current, Fence.NONE);
    }
}
