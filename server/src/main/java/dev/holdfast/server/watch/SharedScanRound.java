package dev.holdfast.server.watch;

import dev.holdfast.AsyncLeases;
import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The progress of one scan of all watched namespaces, page by page. Guarded by the lock of {@link SharedScan}. */
final class SharedScanRound {
    /**
     * The maximum number of prefixes that one round scans; beyond that, neighbors are merged. Each prefix costs at
     * least one request.
     */
    private static final int MOST_PREFIXES = 32;

    private static final int FIRST_PAGE = 100;
    private static final int LARGEST_PAGE = 1_000;

    /** The size of a page in memory; attributes may be large. */
    private static final long PAGE_BYTES = 4 << 20;

    final long number;
    final NamespaceRangeSet ranges;
    /** The watches that begin to send when this round has ended. */
    final List<StatusWatch> newcomers;

    final long begunNanos;
    private final List<String> prefixes;
    private int prefix;
    private @Nullable String cursor;
    private int pageSize = FIRST_PAGE;

    SharedScanRound(long number, NamespaceRangeSet ranges, List<StatusWatch> newcomers, long begunNanos) {
        this.number = number;
        this.ranges = ranges;
        this.prefixes = ranges.scans(MOST_PREFIXES);
        this.newcomers = newcomers;
        this.begunNanos = begunNanos;
    }

    boolean isOver() {
        return prefix == prefixes.size();
    }

    CompletionStage<StatusPage> readPage(AsyncLeases leases) {
        return leases.list(LeaseFilter.namespacePrefix(prefixes.get(prefix)), cursor, pageSize);
    }

    void pageRead(StatusPage page) {
        cursor = page.cursor();
        if (cursor == null) {
            prefix++;
        }
        int count = page.statuses().size();
        if (count > 0) {
            long bytes =
                    page.statuses().stream().mapToLong(WatchedStatuses::bytes).sum();
            long fitting = Math.max(1, PAGE_BYTES * count / bytes);
            pageSize = (int) Math.min(Math.min(2L * pageSize, LARGEST_PAGE), fitting);
        }
    }

    /** Whether the round scans {@code status} for one of its watchers. */
    boolean includes(LeaseStatus status) {
        return ranges.includes(status.key().namespace());
    }
}
