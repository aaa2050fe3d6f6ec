package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireResult;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.units.UnitPlacement;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

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
    record CatalogUnit(
            String name, double weight, List<String> after, UnitPlacement placement, boolean done, boolean deleting) {
        /** @param shared equal placements of other units, so that many units share one */
        static CatalogUnit of(LeaseStatus status, Map<UnitPlacement, UnitPlacement> shared) {
            return new CatalogUnit(
                    status.key().name(),
                    UnitAttributes.weight(status.attributes()),
                    UnitAttributes.after(status.attributes()),
                    shared.computeIfAbsent(UnitAttributes.placement(status.attributes()), it -> it),
                    status.state() == LeaseState.DONE,
                    UnitAttributes.isDeleting(status.attributes()));
        }

        CatalogUnit finished() {
            return new CatalogUnit(name, weight, after, placement, true, deleting);
        }
    }

    CompletionStage<Void> refresh() {
        return markedListing.readMark().thenCompose(mark -> markedListing.refresh(mark, this::list));
    }

    private CompletionStage<Void> list() {
        Map<String, CatalogUnit> found = new LinkedHashMap<>();
        Map<UnitPlacement, UnitPlacement> shared = new HashMap<>();
        return PagedKeyListing.over(client.async(), client.layout().unitFilter(), status -> {
                    if (client.layout().isUnit(status)) {
                        found.put(status.key().name(), CatalogUnit.of(status, shared));
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
            units.put(name, unit.finished());
            done++;
            version++;
        }
    }

    /**
     * Returns the units that may be assigned to a worker now.
     *
     * @param isPaused whether an operator has paused a unit
     */
    List<CatalogUnit> assignable(Predicate<String> isPaused) {
        return units.values().stream()
                .filter(unit -> isOpen(unit) && !isPaused.test(unit.name()) && !waits(unit))
                .toList();
    }

    /** Returns whether a unit exists, and is neither done nor about to be deleted. */
    boolean isOpen(String name) {
        CatalogUnit unit = units.get(name);
        return unit != null && isOpen(unit);
    }

    private static boolean isOpen(CatalogUnit unit) {
        return !unit.done() && !unit.deleting();
    }

    private boolean waits(CatalogUnit unit) {
        return !unit.after().stream().allMatch(this::isDoneOrDeleted);
    }

    /** Returns the number of open units that wait for others to be done. */
    long waitingCount() {
        return units.values().stream()
                .filter(unit -> isOpen(unit) && waits(unit))
                .count();
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
