package dev.holdfast.store;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import java.util.List;
import java.util.Optional;

/**
 * The storage of entries: batches of compare-and-set, batched reads, paged scans.
 *
 * <p>Thread-safe. Calls block, each for a time that the store bounds itself (a time-out of its own), and fail with a
 * {@link StoreException} that says whether anything was applied. They may run on a user's own thread: if that is
 * interrupted the call may fail, but the store must keep working. An answer is final: an acknowledged change survives a
 * crash of this process and, unless the store's documentation says otherwise, of the store's machine.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Applies changes, each on its own: this is one round trip or one commit, but no transaction across keys. At most
     * {@link StoreTraits#batchLimit} changes, perhaps none, no two of them of one key; in any order.
     *
     * <p>Each change is atomic. If the entry is at the expected version (or absent, if that is expected), it becomes
     * the next one. Otherwise nothing happens, and the outcome has the current entry. A change that expects a version
     * never creates an entry. A change with a beat that differs from the stored one stamps the beat's time; any other
     * keeps the stamp. A store with a fence floor raises it to the fence of each entry that it removes. It answers an
     * insert with a fence not above the floor by a conflict without a current entry.
     *
     * @return one outcome per change, in the order of the changes
     * @throws StoreException if nothing is known of any change in the batch beyond the effect of the exception; the
     *     failure of one change alone may be its outcome instead
     */
    List<WriteOutcome> apply(List<Change> changes);

    /**
     * Reads entries as they are now, never from a stale replica. At most {@link StoreTraits#batchLimit} keys, no two of
     * them equal.
     *
     * @return one element per key, in the order of the keys; empty where there is no entry
     */
    List<Optional<StoredEntry>> read(List<Key> keys);

    /**
     * Reads one page. Over the pages of one scan every entry that matches throughout appears exactly once, however
     * much is written meanwhile; an entry that changes may or may not appear, never twice.
     *
     * @throws IllegalArgumentException for a cursor that no page of this store ended with
     */
    ScanPage scan(EntryScan entryScan);

    /** The properties of this store that the pipeline needs. They never change during the life of the store. */
    StoreTraits traits();

    /**
     * Whether the store removes long-unused entries by itself, by the same rule as clean-up. Clients then do not clean
     * up in the background, unless configured to.
     */
    default boolean cleansItself() {
        return false;
    }

    /** Closes the resources of this object. Stored entries stay. Idempotent. */
    @Override
    void close();
}
