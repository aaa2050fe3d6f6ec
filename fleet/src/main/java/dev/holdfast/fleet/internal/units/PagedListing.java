package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.internal.Futures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists all that matches, page by page, so that no more than a page is on its way. */
public final class PagedListing {
    /** Large, as a planner reads all of it: fewer round trips; yet no page is more than a few hundred kilobytes. */
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

    /** Shows each to {@code each}, one after another; done after the last. */
    public static CompletableFuture<Void> over(AsyncLeases leases, LeaseFilter filter, Consumer<LeaseStatus> each) {
        PagedListing pagedListing = new PagedListing(leases, filter, each);
        pagedListing.from(null);
        return pagedListing.end;
    }

    private void from(@Nullable String first) {
        @Nullable String cursor = first;
        boolean more = true;
        // A loop and not a recursion: a store that answers at once would exhaust the stack.
        while (more) {
            CompletableFuture<StatusPage> page =
                    leases.list(filter, cursor, PAGE).toCompletableFuture();
            if (!page.isDone() || page.isCompletedExceptionally()) {
                Futures.whenDone(page, this::got);
                return;
            }
            cursor = take(page.join());
            more = cursor != null;
        }
    }

    private void got(@Nullable StatusPage page, @Nullable Throwable error) {
        if (error != null) {
            end.completeExceptionally(Futures.cause(error));
            return;
        }
        try {
            String cursor = take(Objects.requireNonNull(page));
            if (cursor != null) {
                from(cursor);
            }
        } catch (Throwable e) {
            end.completeExceptionally(e); // Or the worker would wait for this listing for ever.
        }
    }

    private @Nullable String take(StatusPage page) {
        page.statuses().forEach(each);
        if (page.cursor() == null) {
            end.complete(null);
        }
        return page.cursor();
    }
}
