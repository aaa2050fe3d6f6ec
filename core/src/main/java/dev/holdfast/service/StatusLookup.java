package dev.holdfast.service;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.explanation.LeaseExplanation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reads and listings of keys, and the clean-up of idle ones. Thread-safe; never blocks. */
public interface StatusLookup {
    /** One key as it is now; empty if it was never leased. */
    CompletableFuture<Optional<LeaseStatus>> get(Key key);

    /**
     * The same, with the token that holds the key. A store shows it to every client. A server shows it to
     * administrators, and to the holder of the anchor that keeps the lease alive.
     *
     * @param through the anchor; null for an administrator
     */
    CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through);

    /** The reasons for the state of a key, without the facts of {@link ExplanationSource}s. */
    CompletableFuture<LeaseExplanation> explain(Key key);

    /** @see dev.holdfast.AsyncLeases#list */
    CompletableFuture<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit);

    /** @see dev.holdfast.Leases#cleanUp */
    CompletableFuture<Long> cleanUp(CleanUpOptions options);

    /** Some keys, and where the next page begins: null after the last. */
    record ListedPage(List<ListedStatus> entries, @Nullable String cursor) {}

    /**
     * A key and its status.
     *
     * @param sinceBeat the least time since it was granted or last renewed, by the store's clock if it has one; null
     *     from a server
     */
    record ListedStatus(LeaseStatus status, @Nullable Duration sinceBeat) {}
}
