package dev.holdfast.dashboard.view;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.dashboard.live.ViewState;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A page of leases. Where an index finds its keys, each reading lists the page again. Where keys must be examined one by one, only
 * the first reading does that, within limits. Later readings look at the keys on the page, and at keys that change through this
 * server.
 */
final class LeasesSource implements ViewSource {
    private static final int USUAL_SIZE = 50;
    private static final int LARGEST_SIZE = 500;

    /** The most keys that one reading examines: some 50 ms on SQLite. */
    private static final int MOST_EXAMINED = 5_000;

    private static final int EXAMINED_PER_PAGE = 500;

    private final ServedLeases served;
    private final LeaseSearch search;
    private final PageCursor start;
    private final int size;
    private final LeaseRows rows;
    /** The last reading; null before the first. */
    private @Nullable Found last;

    LeasesSource(ServedLeases served, ViewRequest request) {
        this.served = served;
        this.search = new LeaseSearch(request);
        this.start = PageCursor.parse(request.text("page"), search.parts().size());
        this.size = size(request.text("size"));
        this.rows = new LeaseRows(served);
    }

    private static int size(String text) {
        try {
            int size = text.isEmpty() ? USUAL_SIZE : Integer.parseInt(text);
            if (size >= 1 && size <= LARGEST_SIZE) {
                return size;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw ArgumentCheck.bad("size", text, ">= 1 and <= " + LARGEST_SIZE);
    }

    /**
     * The state of a reading.
     *
     * @param at where it continues
     * @param searched the number of keys that it examined
     * @param isOver whether it reached the end, a full page, or its limit
     */
    private record Found(List<LeaseStatus> statuses, PageCursor at, int searched, boolean isOver) {}

    @Override
    public CompletionStage<ViewState> read(Set<Key> changed) {
        Found before = last;
        boolean isScan = before == null || !isExamined(before);
        CompletionStage<Found> reading = isScan || before == null ? scan() : again(before, changed);
        return reading.thenApply(found -> {
            last = found;
            return state(found);
        });
    }

    /** Whether the reading checked keys one by one, so that it must not be repeated every few seconds. */
    private boolean isExamined(Found found) {
        return search.isFilteredByContent() || found.searched > found.statuses.size();
    }

    private CompletableFuture<Found> scan() {
        Found nothing =
                new Found(List.of(), start, 0, start.part() >= search.parts().size());
        return Futures.iterate(nothing, Found::isOver, this::next);
    }

    private CompletableFuture<Found> next(Found found) {
        PageCursor at = found.at;
        boolean isFiltered = search.isFiltered(at.part());
        int limit = isFiltered ? EXAMINED_PER_PAGE : size - found.statuses.size();
        return served.leases()
                .list(search.parts().get(at.part()), at.cursor(), limit)
                .toCompletableFuture()
                .thenApply(page -> add(found, page));
    }

    private Found add(Found found, StatusPage page) {
        PageCursor at = found.at;
        List<LeaseStatus> statuses = new ArrayList<>(found.statuses);
        int searched = found.searched;
        int matches = 0;
        for (LeaseStatus status : page.statuses()) {
            if (statuses.size() == size) {
                // The next page continues within this page of the store.
                return new Found(statuses, at.skipping(matches), searched, true);
            }
            searched++;
            if (search.matches(status) && ++matches > at.skip()) {
                statuses.add(status);
            }
        }
        PageCursor next = page.cursor() == null ? at.nextPart() : at.after(page.cursor());
        boolean isEnd = next.part() == search.parts().size();
        boolean isOver = isEnd || statuses.size() == size || searched >= MOST_EXAMINED;
        return new Found(statuses, next, searched, isOver);
    }

    /** Reads the keys of the page, and the changed keys. */
    private CompletableFuture<Found> again(Found before, Set<Key> changed) {
        Map<Key, CompletableFuture<Optional<LeaseStatus>>> reads = new LinkedHashMap<>();
        Set<Key> keys = new HashSet<>(changed);
        before.statuses.forEach(status -> keys.add(status.key()));
        keys.forEach(key -> reads.put(key, served.leases().get(key).toCompletableFuture()));
        return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<Key, LeaseStatus> found = new LinkedHashMap<>();
                    for (LeaseStatus status : before.statuses) {
                        requireNonNull(reads.get(status.key()))
                                .join()
                                .filter(search::matches)
                                .ifPresent(it -> found.put(it.key(), it));
                    }
                    for (Key key : start.isFirst() ? changed : Set.<Key>of()) {
                        if (found.size() < size) {
                            requireNonNull(reads.get(key))
                                    .join()
                                    .filter(search::matches)
                                    .ifPresent(it -> found.put(key, it));
                        }
                    }
                    return new Found(List.copyOf(found.values()), before.at, before.searched, true);
                });
    }

    private ViewState state(Found found) {
        ObjectNode head = ViewJson.head(served);
        boolean isEnd = found.at.part() == search.parts().size();
        boolean isFull = found.statuses.size() == size;
        if (!isEnd) {
            head.put("nextPage", found.at.text());
        }
        head.put("searched", found.searched).put("more", !isEnd && !isFull);
        return ViewState.of(head, rows.of(found.statuses));
    }

    @Override
    public boolean concerns(Key key) {
        return search.concerns(key);
    }
}
