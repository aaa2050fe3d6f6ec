package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.support.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A listing of all matching entries, page by page, so that at most one page is in flight. */
public final class PagedKeyListing {
    /**
     * Large, because a planner reads all pages and larger ones need fewer round trips. A page is still at most a few
     * hundred kilobytes.
     */
    private static final int PAGE = 1000;

    private PagedKeyListing() {}

    /** A page boundary. There is no next page if the cursor of a page is null. */
    private record PageCursor(@Nullable String cursor, boolean isLast) {}

    /** Passes each entry to {@code each}, one after another. Completes after the last. */
    public static CompletableFuture<Void> over(AsyncLeases leases, LeaseFilter filter, Consumer<LeaseStatus> each) {
        return Futures.iterate(
                        new PageCursor(null, false),
                        PageCursor::isLast,
                        at -> leases.list(filter, at.cursor, PAGE)
                                .toCompletableFuture()
                                .thenApply(page -> {
                                    page.statuses().forEach(each);
                                    return new PageCursor(page.cursor(), page.cursor() == null);
                                }))
                .thenAccept(last -> {});
    }
}
