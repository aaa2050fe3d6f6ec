package dev.holdfast.fleet.internal.units;

import dev.holdfast.LeaseFilter;
import dev.holdfast.fleet.internal.planner.LastListing;
import dev.holdfast.fleet.internal.planner.UnitInfo;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The units of a fleet, listed only when they have changed. A client that changes them holds the fleet's mark
 * meanwhile. So a listing is outdated if the mark has been granted since, or was held when the listing began. A client
 * that dies half-way leaves the mark held until it expires, and then the units are listed once more.
 */
public final class UnitCatalog {
    private final WorkerSetup workerSetup;
    private final LastListing lastListing;
    private Map<String, UnitInfo> units = new LinkedHashMap<>();
    private long version;
    private long done;

    public UnitCatalog(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
        this.lastListing = new LastListing(workerSetup);
    }

    public CompletionStage<Void> refresh() {
        return workerSetup.async().get(workerSetup.names().mark()).thenCompose(found -> {
            ChangeMark changeMark = ChangeMark.of(found);
            return lastListing.isCurrent(changeMark) ? CompletableFuture.completedFuture(null) : list(changeMark);
        });
    }

    private CompletableFuture<Void> list(ChangeMark changeMark) {
        Map<String, UnitInfo> found = new LinkedHashMap<>();
        LeaseFilter filter = LeaseFilter.namespacePrefix(workerSetup.names().units());
        return PagedListing.over(workerSetup.async(), filter, status -> {
                    if (UnitInfo.isUnit(status)) {
                        found.put(status.key().name(), UnitInfo.of(status));
                    }
                })
                .thenRun(() -> replace(found, changeMark));
    }

    private void replace(Map<String, UnitInfo> found, ChangeMark changeMark) {
        lastListing.listed(changeMark);
        if (!found.equals(units)) {
            units = found;
            done = found.values().stream().filter(UnitInfo::done).count();
            version++;
        }
    }

    /** Returns a number that changes whenever the input of the plan changes. */
    public long version() {
        return version;
    }

    public int size() {
        return units.size();
    }

    public long doneCount() {
        return done;
    }

    @Nullable
    UnitInfo get(String name) {
        return units.get(name);
    }

    public void finish(String name) {
        UnitInfo unit = units.get(name);
        if (unit != null && !unit.done()) {
            units.put(name, unit.finished());
            done++;
            version++;
        }
    }

    public void remove(String name) {
        if (units.remove(name) != null) {
            version++;
        }
    }

    /** Returns the units that may be assigned to a worker now. */
    public List<UnitInfo> assignable() {
        return units.values().stream()
                .filter(unit -> !unit.done()
                        && !unit.deleting()
                        && unit.after().stream().allMatch(this::isDoneOrDeleted))
                .toList();
    }

    /** A deleted unit does not make others wait. */
    private boolean isDoneOrDeleted(String name) {
        UnitInfo unit = units.get(name);
        return unit == null || unit.done();
    }

    public List<String> deleting() {
        return units.values().stream()
                .filter(UnitInfo::deleting)
                .map(UnitInfo::name)
                .toList();
    }
}
