package dev.holdfast.fleet.internal.status;

import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetMap;
import dev.holdfast.fleet.FleetMap.PlaceState;
import dev.holdfast.fleet.FleetMap.UnitPlace;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.UnitOutlook.FailureRest;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.planner.PlanDetails;
import dev.holdfast.fleet.internal.planner.PlannerReport;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reader of the places of all units of a fleet. */
public record FleetMapReader(Leases leases, FleetKeyLayout layout) {
    /** Reads everything: the status, the assignments of all workers, and all units. */
    public CompletionStage<FleetMap> read() {
        return new FleetStatusReader(leases, layout)
                .read()
                .thenCompose(status -> new AssignmentLookup(leases.async(), layout)
                        .all()
                        .thenCompose(assigned -> details().thenCompose(details -> {
                            Map<String, LeaseStatus> units = new HashMap<>();
                            return PagedKeyListing.over(leases.async(), layout.unitFilter(), unit -> {
                                        if (layout.isUnit(unit)) {
                                            units.put(unit.key().name(), unit);
                                        }
                                    })
                                    .thenApply(nothing -> map(status, details, assigned, units));
                        })));
    }

    /** Reads the status and the assignments, and only these units. */
    public CompletionStage<FleetMap> again(FleetMap before, Collection<String> names) {
        Map<String, Optional<LeaseStatus>> found = new ConcurrentHashMap<>();
        return new FleetStatusReader(leases, layout)
                .read()
                .thenCompose(status -> new AssignmentLookup(leases.async(), layout)
                        .all()
                        .thenCompose(assigned -> details()
                                .thenCompose(details -> ConcurrentCalls.over(
                                                names,
                                                name -> leases.async()
                                                        .get(layout.unit(name))
                                                        .thenAccept(
                                                                unit -> found.put(name, unit.filter(layout::isUnit))))
                                        .thenApply(nothing -> merged(before, status, details, assigned, found)))));
    }

    private CompletionStage<PlanDetails> details() {
        return leases.async()
                .get(layout.planner())
                .thenApply(planner -> planner.filter(LeaseStatus::isHeld)
                        .map(lease -> PlannerReport.of(lease.attributes()).details())
                        .orElse(PlanDetails.NONE));
    }

    private static FleetMap map(
            FleetStatus status, PlanDetails details, Map<String, String> assigned, Map<String, LeaseStatus> units) {
        Predicate<String> isUndone =
                name -> units.containsKey(name) && units.get(name).state() != LeaseState.DONE;
        Map<String, UnitPlace> places = new HashMap<>();
        units.forEach((name, unit) -> places.put(name, place(unit, status, details, assigned.get(name), isUndone)));
        return new FleetMap(status, places, assigned);
    }

    private static FleetMap merged(
            FleetMap before,
            FleetStatus status,
            PlanDetails details,
            Map<String, String> assigned,
            Map<String, Optional<LeaseStatus>> found) {
        Map<String, UnitPlace> places = new HashMap<>(before.units());
        Predicate<String> isUndone = name -> {
            UnitPlace other = before.units().get(name);
            return other != null && other.state() != PlaceState.DONE;
        };
        found.forEach((name, unit) -> {
            if (unit.isEmpty()) {
                places.remove(name);
            } else {
                places.put(name, place(unit.get(), status, details, assigned.get(name), isUndone));
            }
        });
        return new FleetMap(status, places, assigned);
    }

    /** The same order of facts as for the outlook of a unit: see {@link OutlookReader}. */
    private static UnitPlace place(
            LeaseStatus unit,
            FleetStatus status,
            PlanDetails details,
            @Nullable String assigned,
            Predicate<String> isUndone) {
        String name = unit.key().name();
        Optional<String> holder = unit.isHeld() ? unit.holder().map(Holder::name) : Optional.empty();
        FailureRest rest = details.resting().get(name);
        PlaceState state;
        if (unit.state() == LeaseState.DONE) {
            state = PlaceState.DONE;
        } else if (status.control().paused().containsKey(name)) {
            state = PlaceState.PAUSED;
        } else if (UnitAttributes.after(unit.attributes()).stream().anyMatch(isUndone)) {
            state = PlaceState.WAITING;
        } else if (assigned != null) {
            state = holder.filter(assigned::equals).isPresent() ? PlaceState.HELD : PlaceState.ASSIGNED;
        } else if (holder.isPresent()) {
            state = PlaceState.HELD;
        } else if (rest != null) {
            state = PlaceState.RESTING;
        } else {
            state = details.reasons().isEmpty() ? PlaceState.FREE : PlaceState.UNPLACED;
        }
        return new UnitPlace(
                state,
                Optional.ofNullable(assigned).or(() -> holder),
                holder,
                holder.isPresent()
                        ? Optional.ofNullable(unit.entry().grant()).map(grant -> grant.grantedAt())
                        : Optional.empty(),
                Optional.ofNullable(rest).map(FailureRest::until));
    }
}
