package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireResult;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The planner's view of the workers and units of a fleet. Standby planners keep one too. So they know both, and have
 * observed all anchors, before they take over.
 *
 * <p>Workers are listed only after one has joined: each sends a notice, which changes the workers' mark.
 * Otherwise the anchors of the known workers are read by key. This is for stores in which a listing reads the whole
 * table (DynamoDB). Where a listing reads a range of an index, it would cost about as much as the reads, and one way
 * for all stores is simpler than two.
 *
 * <p>Workers of a version that sends no notice are found by the listing once every {@link
 * dev.holdfast.fleet.FleetOptions#relistEvery}. While such a worker is known, more of them may join, so every refresh
 * lists the workers.
 *
 * <p>Only one refresh runs at a time.
 */
final class FleetObserver {
    private final WorkerClient client;
    private final UnitCatalog unitCatalog;
    private final ControlCatalog controlCatalog;
    private final MarkedListing markedListing;
    private Map<String, WatchedWorker> members = new TreeMap<>();
    private final Set<String> vanished = new ConcurrentSkipListSet<>();
    /** Vanished workers whose anchors are free or deleted: they left, or the planner has removed them. */
    private final Set<String> gone = new ConcurrentSkipListSet<>();

    private long version;
    private long loadVersion;
    private long changedNanos;
    private long restlessSinceNanos;
    private boolean refreshed;
    private long refreshedNanos;

    /**
     * A worker as the planner sees it.
     *
     * @param givesNotice false for a version that joins without a notice
     */
    record WatchedWorker(String name, Fence fence, WorkerReport report, boolean givesNotice) {
        static WatchedWorker of(LeaseStatus anchor) {
            return new WatchedWorker(
                    anchor.key().name(),
                    anchor.fence(),
                    WorkerReport.of(anchor.attributes()),
                    WorkerReport.givesNotice(anchor.attributes()));
        }

        WatchedWorker withoutLoad() {
            return new WatchedWorker(name, fence, report.withoutLoad(), givesNotice);
        }

        boolean isSameGrantAs(@Nullable WatchedWorker other) {
            return other != null && fence.equals(other.fence) && report.leaving() == other.report.leaving();
        }
    }

    FleetObserver(WorkerClient client) {
        this.client = client;
        this.unitCatalog = new UnitCatalog(client);
        this.controlCatalog = new ControlCatalog(client);
        this.markedListing = new MarkedListing(client, client.layout().workersMark());
        this.changedNanos = client.nanos();
        this.restlessSinceNanos = changedNanos;
        this.refreshedNanos = changedNanos;
    }

    /**
     * Reads the units, then the workers and the orders. Listing a million units takes seconds, and the plan must include workers that
     * join meanwhile.
     */
    CompletionStage<Void> refresh() {
        return unitCatalog.refresh().thenCompose(nothing -> {
            gone.clear();
            boolean allGiveNotice = members.values().stream().allMatch(WatchedWorker::givesNotice);
            return markedListing.refresh(
                    allGiveNotice, () -> withOrders(this::readKnown), () -> withOrders(this::list));
        });
    }

    /** The mark of the orders is read together with the anchors, so that it costs no request of its own. */
    private CompletionStage<Void> withOrders(Supplier<? extends CompletionStage<Void>> readWorkers) {
        CompletionStage<MarkedListing.MarkState> mark = controlCatalog.readMark();
        return readWorkers.get().thenCompose(nothing -> mark).thenCompose(controlCatalog::refresh);
    }

    /**
     * Refreshes the view of a standby. A standby removes no workers, so it drops vanished ones that the planner has
     * removed.
     */
    CompletionStage<Void> refreshAsStandby() {
        return refresh().thenRun(() -> vanished.removeAll(gone));
    }

    private CompletionStage<Void> list() {
        Map<String, WatchedWorker> found = new TreeMap<>();
        return PagedKeyListing.over(
                        client.async(),
                        client.layout().liveAnchors(),
                        anchor -> found.put(anchor.key().name(), WatchedWorker.of(anchor)))
                .thenRun(() -> replaceMembers(found));
    }

    /**
     * Also reads the vanished workers: a worker that returned before it was removed may have sent its notice too early.
     */
    private CompletionStage<Void> readKnown() {
        Set<String> known = new TreeSet<>(members.keySet());
        known.addAll(vanished);
        Map<String, WatchedWorker> found = new ConcurrentSkipListMap<>();
        return ConcurrentCalls.over(
                        known,
                        name -> client.async().get(client.layout().anchor(name)).thenAccept(anchor -> {
                            anchor.filter(LeaseStatus::isHeld)
                                    .ifPresent(held -> found.put(name, WatchedWorker.of(held)));
                            if (anchor.filter(status -> status.entry().state() == LeaseState.HELD)
                                    .isEmpty()) {
                                gone.add(name);
                            }
                        }))
                .thenRun(() -> replaceMembers(new TreeMap<>(found)));
    }

    private void replaceMembers(Map<String, WatchedWorker> found) {
        members.keySet().stream().filter(name -> !found.containsKey(name)).forEach(vanished::add);
        vanished.removeAll(found.keySet());
        boolean sameMembers = refreshed
                && found.keySet().equals(members.keySet())
                && found.values().stream().allMatch(worker -> worker.isSameGrantAs(members.get(worker.name())));
        if (!sameMembers) {
            membersChanged();
        }
        if (!withoutLoads(found).equals(withoutLoads(members))) {
            version++;
        } else if (!found.equals(members)) {
            loadVersion++;
        }
        members = found;
        refreshed = true;
        refreshedNanos = client.nanos();
    }

    private static Map<String, WatchedWorker> withoutLoads(Map<String, WatchedWorker> workers) {
        Map<String, WatchedWorker> without = new TreeMap<>();
        workers.forEach((name, worker) -> without.put(name, worker.withoutLoad()));
        return without;
    }

    private void membersChanged() {
        long now = client.nanos();
        if (now - changedNanos >= client.options().quiet().toNanos()) {
            restlessSinceNanos = now;
        }
        changedNanos = now;
    }

    /** Returns how long no worker had joined or left at the last refresh. */
    long quietNanos() {
        return refreshedNanos - changedNanos;
    }

    /** Returns the time since the fleet was last quiet. */
    long nanosSinceQuiet() {
        return client.nanos() - restlessSinceNanos;
    }

    UnitCatalog catalog() {
        return unitCatalog;
    }

    ControlCatalog orders() {
        return controlCatalog;
    }

    /** Returns a number that changes whenever the input of the plan changes, other than the reported loads. */
    long version() {
        return version + unitCatalog.version() + controlCatalog.version();
    }

    /** Returns a number that changes when only reported loads have changed. */
    long loadVersion() {
        return loadVersion;
    }

    Collection<WatchedWorker> members() {
        return members.values();
    }

    @Nullable
    WatchedWorker member(String name) {
        return members.get(name);
    }

    /** Returns the workers that were alive at an earlier refresh and have not been seen since. */
    List<String> vanished() {
        return List.copyOf(vanished);
    }

    /** Deletes the anchor of a worker, and returns whether it is gone: false if the worker holds it again. */
    CompletionStage<Boolean> deleteAnchor(String worker) {
        return client.async()
                .delete(client.layout().anchor(worker), null)
                .thenApply(result -> !(result instanceof AcquireResult.HeldByAnother));
    }

    void forgetVanished(String name) {
        vanished.remove(name);
    }
}
