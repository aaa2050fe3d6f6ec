package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireResult;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The units of a fleet, listed only when they have changed. A client that changes them holds the fleet's mark
 * meanwhile. A client that dies half-way leaves the mark held until it expires, and then the units are listed once
 * more.
 */
final class UnitCatalog {
    private final WorkerClient client;
    private final MarkedListing markedListing;
    private Map<String, CatalogUnit> units = new LinkedHashMap<>();
    private long version;
    private long done;

    UnitCatalog(WorkerClient client) {
        this.client = client;
        this.markedListing = new MarkedListing(client, client.layout().unitsMark());
    }

    /** The planner's record of a unit. */
    record CatalogUnit(String name, double weight, List<String> after, boolean done, boolean deleting) {
        static CatalogUnit of(LeaseStatus status) {
            return new CatalogUnit(
                    status.key().name(),
                    UnitAttributes.weight(status.attributes()),
                    UnitAttributes.after(status.attributes()),
                    status.state() == LeaseState.DONE,
                    UnitAttributes.isDeleting(status.attributes()));
        }
    }

    CompletionStage<Void> refresh() {
        return markedListing.refresh(true, () -> CompletableFuture.completedFuture(null), this::list);
    }

    private CompletionStage<Void> list() {
        Map<String, CatalogUnit> found = new LinkedHashMap<>();
        return PagedKeyListing.over(client.async(), client.layout().unitFilter(), status -> {
                    if (client.layout().isUnit(status)) {
                        found.put(status.key().name(), CatalogUnit.of(status));
                    }
                })
                .thenRun(() -> replace(found));
    }

    private void replace(Map<String, CatalogUnit> found) {
        if (!found.equals(units)) {
            units = found;
            done = found.values().stream().filter(CatalogUnit::done).count();
            version++;
        }
    }

    /** Returns a number that changes whenever the input of the plan changes. */
    long version() {
        return version;
    }

    int size() {
        return units.size();
    }

    long doneCount() {
        return done;
    }

    void finish(String name) {
        CatalogUnit unit = units.get(name);
        if (unit != null && !unit.done()) {
            units.put(name, new CatalogUnit(name, unit.weight, unit.after, true, unit.deleting));
            done++;
            version++;
        }
    }

    /** Returns the units that may be assigned to a worker now. */
    List<CatalogUnit> assignable() {
        return units.values().stream()
                .filter(unit -> !unit.done()
                        && !unit.deleting()
                        && unit.after().stream().allMatch(this::isDoneOrDeleted))
                .toList();
    }

    /** A deleted unit does not make others wait. */
    private boolean isDoneOrDeleted(String name) {
        CatalogUnit unit = units.get(name);
        return unit == null || unit.done();
    }

    /** Deletes the units that are marked for it and that no worker holds. */
    CompletionStage<Void> deleteMarked() {
        Set<String> deleted = ConcurrentHashMap.newKeySet();
        List<String> marked = units.values().stream()
                .filter(CatalogUnit::deleting)
                .map(CatalogUnit::name)
                .toList();
        return ConcurrentCalls.over(
                        marked,
                        name -> client.async()
                                .delete(client.layout().unit(name), null)
                                .thenAccept(result -> {
                                    if (!(result instanceof AcquireResult.HeldByAnother)) {
                                        deleted.add(name);
                                    }
                                }))
                .thenRun(() -> deleted.forEach(this::remove));
    }

    private void remove(String name) {
        if (units.remove(name) != null) {
            version++;
        }
    }
}
