package dev.holdfast.internal.engine;

import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A store as the engine sees it: the same calls as {@link dev.holdfast.spi.LeaseStore}, but asynchronous. Production
 * runs a blocking store on lane threads behind it; the simulator sends messages on virtual time.
 */
public interface StorePort extends AutoCloseable {
    StoreTraits traits();

    /** At most one call per lane is under way. */
    CompletableFuture<List<Outcome>> apply(int lane, List<Change> changes);

    CompletableFuture<List<Optional<Stored>>> read(List<Key> keys);

    CompletableFuture<Page> scan(Scan scan);

    /** The store's power to notify, if it has it. */
    Optional<ChangeNotifier> notifier();

    @Override
    void close();
}
