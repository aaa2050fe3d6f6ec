package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.support.Futures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A listing of all matching entries, page by page, so that at most one page is in flight. */
public final class PagedListing {
    /**
     * Large, because a planner reads all pages and larger ones need fewer round trips. A page is still at most a few
     * hundred kilobytes.
     */
    private static final int PAGE = 1000;

    private final AsyncLeases leases;
    private final LeaseFilter filter;
    private final Consumer<LeaseStatus> each;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private PagedListing(AsyncLeases leases, LeaseFilter filter, Consumer<LeaseStatus> each) {
        this.leases = leases;
        this.filter = filter;
        this.each = each;
    }

    /** Passes each entry to {@code each}, one after another. Completes after the last. */
    public static CompletableFuture<Void> over(AsyncLeases leases, LeaseFilter filter, Consumer<LeaseStatus> each) {
        PagedListing pagedListing = new PagedListing(leases, filter, each);
        pagedListing.fetchFrom(null);
        return pagedListing.end;
    }

    private void fetchFrom(@Nullable String first) {
        @Nullable String cursor = first;
        boolean more = true;
        // A loop rather than recursion: a store that responds at once would exhaust the stack.
        while (more) {
            CompletableFuture<StatusPage> page =
                    leases.list(filter, cursor, PAGE).toCompletableFuture();
            if (!page.isDone() || page.isCompletedExceptionally()) {
                Futures.whenDone(page, this::received);
                return;
            }
            cursor = consume(page.join());
            more = cursor != null;
        }
    }

    private void received(@Nullable StatusPage page, @Nullable Throwable error) {
        if (error != null) {
            end.completeExceptionally(Futures.cause(error));
            return;
        }
        try {
            String cursor = consume(Objects.requireNonNull(page));
            if (cursor != null) {
                fetchFrom(cursor);
            }
        } catch (Throwable e) {
            end.completeExceptionally(e); // Otherwise the worker would wait for this listing forever.
        }
    }

    private @Nullable String consume(StatusPage page) {
        page.statuses().forEach(each);
        if (page.cursor() == null) {
            end.complete(null);
        }
        return page.cursor();
    }
}
