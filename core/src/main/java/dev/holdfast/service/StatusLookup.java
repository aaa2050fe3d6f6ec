package dev.holdfast.service;

import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Relay.AnchorProof;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reads and listings of keys, and the clean-up of idle ones. Thread-safe; never blocks. */
public interface StatusLookup {
    /** One key as it is now; empty if it was never leased. */
    CompletableFuture<Optional<LeaseStatus>> get(Key key);

    /** @see dev.holdfast.AsyncLeases#getWithToken */
    CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through);

    /** @see dev.holdfast.AsyncLeases#list */
    CompletableFuture<StatusPage> page(LeaseFilter filter, @Nullable String cursor, int limit);

    /** @see dev.holdfast.Leases#cleanUp */
    CompletableFuture<Long> cleanUp(CleanUpOptions options);
}
