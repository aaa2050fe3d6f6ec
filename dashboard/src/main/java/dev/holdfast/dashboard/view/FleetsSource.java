package dev.holdfast.dashboard.view;

import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.dashboard.live.ViewState;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.security.ReadableNamespaces;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * All fleets. Fleets with live workers are found by the anchors of the workers. Others are found by listing the namespaces of all
 * fleets, which takes longer and happens seldom.
 */
final class FleetsSource implements ViewSource {
    private static final int MOST_FLEETS = 200;
    private static final int PAGE = 1_000;
    private static final int REST_PER_READING = 20;

    private final ServedLeases served;
    private final ReadableNamespaces readable;
    private final Set<String> known = new TreeSet<>();
    private boolean truncated;
    private long listedNanos;
    private long listingNanos = -1;
    private volatile long readingNanos;

    FleetsSource(ServedLeases served, ReadableNamespaces readable) {
        this.served = served;
        this.readable = readable;
    }

    @Override
    public CompletionStage<ViewState> read(Set<Key> changed) {
        long begunNanos = served.service().nanos();
        boolean isListingDue = listingNanos < 0
                || begunNanos - listedNanos > Math.max(60_000_000_000L, REST_PER_READING * listingNanos);
        CompletableFuture<Void> live =
                collect(LeaseFilter.namespacePrefix(Key.anchorsOf("").replace("//", "/"))
                        .state(LeaseState.HELD));
        return live.thenCompose(nothing -> isListingDue ? listAll(begunNanos) : CompletableFuture.completedFuture(null))
                .thenCompose(nothing -> statuses())
                .thenApply(statuses -> {
                    readingNanos = served.service().nanos() - begunNanos;
                    return state(statuses);
                });
    }

    private CompletableFuture<Void> listAll(long begunNanos) {
        return collect(LeaseFilter.namespacePrefix(FleetNames.PREFIX)).thenAccept(nothing -> {
            listedNanos = served.service().nanos();
            listingNanos = listedNanos - begunNanos;
        });
    }

    private record ListedUpTo(@Nullable String cursor, boolean isOver) {}

    private CompletableFuture<Void> collect(LeaseFilter filter) {
        return Futures.iterate(
                        new ListedUpTo(null, false),
                        ListedUpTo::isOver,
                        at -> served.leases()
                                .list(filter, at.cursor, PAGE)
                                .toCompletableFuture()
                                .thenApply(page -> {
                                    page.statuses().forEach(status -> found(status.key()));
                                    return new ListedUpTo(page.cursor(), page.cursor() == null);
                                }))
                .thenAccept(last -> {});
    }

    private void found(Key key) {
        FleetNames.of(key)
                .filter(fleet -> FleetNames.isReadable(readable, fleet))
                .ifPresent(fleet -> {
                    if (known.size() < MOST_FLEETS || known.contains(fleet)) {
                        known.add(fleet);
                    } else {
                        truncated = true;
                    }
                });
    }

    /** Reads the statuses one after another, so that a page with many fleets takes no more of the store than one. */
    private CompletableFuture<List<FleetStatus>> statuses() {
        List<String> names = List.copyOf(known);
        List<FleetStatus> read = new ArrayList<>();
        return Futures.iterate(
                        0,
                        next -> next == names.size(),
                        next -> Fleet.statusAsync(served.client(), names.get(next))
                                .toCompletableFuture()
                                .thenApply(status -> {
                                    read.add(status);
                                    return next + 1;
                                }))
                .thenApply(all -> read);
    }

    private ViewState state(List<FleetStatus> statuses) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (FleetStatus status : statuses) {
            if (status.workers().isEmpty() && status.units().total() == 0) {
                continue; // Keys of another kind, or remains of a fleet.
            }
            rows.put(
                    status.fleet(),
                    ViewJson.object()
                            .put("fleet", status.fleet())
                            .put("workers", status.workers().size())
                            .put("units", status.units().total())
                            .put("held", status.units().held())
                            .put("unplaced", status.units().unplaced())
                            .put("paused", status.units().paused())
                            .put("frozen", status.control().freeze().isPresent())
                            .toString());
        }
        return ViewState.of(ViewJson.head(served).put("truncated", truncated), rows);
    }

    @Override
    public boolean concerns(Key key) {
        return FleetNames.of(key)
                        .filter(fleet -> FleetNames.isReadable(readable, fleet))
                        .isPresent()
                && (key.isAnchor() || !key.namespace().endsWith("/units"));
    }

    @Override
    public Duration pause() {
        Duration rest = Duration.ofNanos(REST_PER_READING * readingNanos);
        return rest.compareTo(USUAL_PAUSE) < 0 ? USUAL_PAUSE : rest;
    }
}
