package dev.holdfast.embedded;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.internal.pipeline.StatusReader;
import dev.holdfast.internal.pipeline.StatusReader.Resolved;
import dev.holdfast.internal.pipeline.StatusReader.ResolvedPage;
import dev.holdfast.rules.EntryStanding;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reads and listings of keys, by their current standing and not by the stored state. */
final class StatusListing implements StatusLookup {
    /**
     * The prefix of a cursor in the second part of a listing of free keys: the keys that are stored as held and have
     * expired.
     */
    private static final String SECOND_PART = "held:";

    private static final String FIRST_PART = "free:";

    private final LeaseService service;
    private final StatusReader statusReader;

    StatusListing(LeaseService service, StatusReader statusReader) {
        this.service = service;
        this.statusReader = statusReader;
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> get(Key key) {
        return statusReader.get(key).thenApply(found -> found.map(StatusListing::status));
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through) {
        return get(key); // A client with direct access to the store sees every token.
    }

    @Override
    public CompletableFuture<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        ArgumentCheck.text("prefix", filter.prefix(), SizeLimits.NAMESPACE_BYTES);
        EntryScan entryScan = new EntryScan(
                filter.prefix(),
                filter.state().orElse(null),
                filter.holder().orElse(null),
                filter.token().orElse(null),
                cursor,
                limit);
        return filter.state().equals(Optional.of(LeaseState.FREE))
                ? freePage(entryScan, cursor)
                : matching(entryScan, filter);
    }

    @Override
    public CompletableFuture<Long> cleanUp(CleanUpOptions options) {
        return new CleanUpRound(service, statusReader, options).run();
    }

    private CompletableFuture<ListedPage> matching(EntryScan entryScan, LeaseFilter filter) {
        return statusReader
                .page(entryScan)
                .thenApply(page -> new ListedPage(listed(page, filter.state().orElse(null)), page.cursor()));
    }

    /** @param leaseState null for any */
    private static List<ListedStatus> listed(ResolvedPage page, @Nullable LeaseState leaseState) {
        return page.entries().stream()
                .map(resolved -> new ListedStatus(status(resolved), resolved.sinceBeat()))
                .filter(listed ->
                        leaseState == null || leaseState == listed.status().state())
                .toList();
    }

    /** Free keys are stored as free, or stored as held and expired. So there are two scans, one after the other. */
    private CompletableFuture<ListedPage> freePage(EntryScan entryScan, @Nullable String cursor) {
        if (cursor != null && !cursor.startsWith(FIRST_PART) && !cursor.startsWith(SECOND_PART)) {
            throw ArgumentCheck.bad("cursor", cursor, "the cursor of a previous page");
        }
        boolean second = cursor != null && cursor.startsWith(SECOND_PART);
        String inner = cursor == null ? null : cursor.substring(FIRST_PART.length());
        EntryScan part = new EntryScan(
                entryScan.prefix(),
                second ? LeaseState.HELD : LeaseState.FREE,
                entryScan.holder(),
                entryScan.token(),
                inner == null || inner.isEmpty() ? null : inner,
                entryScan.limit());
        return statusReader
                .page(part)
                .thenApply(page -> new ListedPage(listed(page, LeaseState.FREE), nextCursor(second, page.cursor())));
    }

    private static @Nullable String nextCursor(boolean second, @Nullable String inner) {
        if (inner != null) {
            return (second ? SECOND_PART : FIRST_PART) + inner;
        }
        return second ? null : SECOND_PART;
    }

    private static LeaseStatus status(Resolved resolved) {
        EntryStanding entryStanding = resolved.standing();
        LeaseState leaseState = entryStanding.kind() == EntryStanding.Kind.DONE
                ? LeaseState.DONE
                : entryStanding.isFree() ? LeaseState.FREE : LeaseState.HELD;
        Grant grant = resolved.entry().grant();
        Duration remaining =
                grant == null ? entryStanding.remaining() : grant.term().atMost(entryStanding.remaining());
        return new LeaseStatus(resolved.entry(), leaseState, remaining);
    }
}
