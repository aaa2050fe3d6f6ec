package dev.holdfast.store;

import dev.holdfast.Key;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A store as the pipeline uses it: the same calls as {@link dev.holdfast.store.LeaseStore}, but asynchronous.
 * Production runs a blocking store on lane threads behind it; the simulator sends messages on virtual time.
 */
public interface AsyncStore extends AutoCloseable {
    StoreTraits traits();

    /**
     * Applies changes. The caller has at most one call per lane under way.
     *
     * @param callerWaits whether the calling thread does nothing but wait for the outcome, so that the call may run on
     *     it. That avoids waking another thread, and being woken by it
     */
    CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits);

    CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys);

    CompletableFuture<ScanPage> scan(EntryScan entryScan);

    /** The store's notifier; empty if the store does not notify. */
    Optional<ChangeNotifier> notifier();

    @Override
    void close();
}
