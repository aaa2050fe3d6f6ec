package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The units of a fleet, listed only when somebody has changed them. Whoever does holds the fleet's mark meanwhile: so a
 * listing is out of date if the mark has been granted since, or was held when the listing began. One that dies half-way
 * leaves the mark held until it expires, and then the units are listed once more.
 */
final class Catalog {
    private final Setup setup;
    private final LastListing lastListing;
    private Map<String, UnitInfo> units = new LinkedHashMap<>();
    private long version;
    private long done;

    Catalog(Setup setup) {
        this.setup = setup;
        this.lastListing = new LastListing(setup);
    }

    CompletionStage<Void> look() {
        return setup.async().get(setup.names().mark()).thenCompose(found -> {
            Mark mark = Mark.of(found);
            return lastListing.isCurrent(mark) ? CompletableFuture.completedFuture(null) : list(mark);
        });
    }

    private CompletableFuture<Void> list(Mark mark) {
        Map<String, UnitInfo> found = new LinkedHashMap<>();
        LeaseFilter filter = LeaseFilter.namespacePrefix(setup.names().units());
        return Walk.over(setup.async(), filter, status -> {
                    if (UnitInfo.isUnit(status)) {
                        found.put(status.key().name(), UnitInfo.of(status));
                    }
                })
                .thenRun(() -> replace(found, mark));
    }

    private void replace(Map<String, UnitInfo> found, Mark mark) {
        lastListing.listed(mark);
        if (!found.equals(units)) {
            units = found;
            done = found.values().stream().filter(UnitInfo::done).count();
            version++;
        }
    }

    /** Changes whenever what is planned could. */
    long version() {
        return version;
    }

    int size() {
        return units.size();
    }

    long doneCount() {
        return done;
    }

    @Nullable
    UnitInfo get(String name) {
        return units.get(name);
    }

    void finish(String name) {
        UnitInfo unit = units.get(name);
        if (unit != null && !unit.done()) {
            units.put(name, unit.finished());
            done++;
            version++;
        }
    }

    void forget(String name) {
        if (units.remove(name) != null) {
            version++;
        }
    }

    /** Those that may be given to a worker now. */
    List<UnitInfo> open() {
        return units.values().stream()
                .filter(unit -> !unit.done()
                        && !unit.deleting()
                        && unit.after().stream().allMatch(this::isOutOfTheWay))
                .toList();
    }

    /** A unit that is not there any more keeps nobody waiting. */
    private boolean isOutOfTheWay(String name) {
        UnitInfo unit = units.get(name);
        return unit == null || unit.done();
    }

    List<String> deleting() {
        return units.values().stream()
                .filter(UnitInfo::deleting)
                .map(UnitInfo::name)
                .toList();
    }
}
