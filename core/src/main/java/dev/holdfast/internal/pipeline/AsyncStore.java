package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A store as the pipeline uses it: the same calls as {@link dev.holdfast.store.LeaseStore}, but asynchronous.
 * Production runs a blocking store on lane threads behind it; the simulator sends messages on virtual time.
 */
public interface AsyncStore extends AutoCloseable {
    StoreTraits traits();

    /** Applies changes. The caller has at most one call per lane under way. */
    CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes);

    CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys);

    CompletableFuture<ScanPage> scan(EntryScan entryScan);

    /** The store's notifier; empty if the store does not notify. */
    Optional<ChangeNotifier> notifier();

    @Override
    void close();
}
