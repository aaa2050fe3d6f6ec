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
import dev.holdfast.fleet.internal.reports.PlanDetails;
import dev.holdfast.fleet.internal.reports.PlannerReport;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.store.Grant;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

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
        PlaceFacts facts = new PlaceFacts(status, details, assigned);
        Predicate<String> isUndone =
                name -> units.containsKey(name) && units.get(name).state() != LeaseState.DONE;
        Map<String, UnitPlace> places = new HashMap<>();
        units.forEach((name, unit) -> places.put(name, facts.place(unit, isUndone)));
        return new FleetMap(status, places, assigned);
    }

    /** Units that were not read again keep their leases, but orders and plan are new for all. */
    private static FleetMap merged(
            FleetMap before,
            FleetStatus status,
            PlanDetails details,
            Map<String, String> assigned,
            Map<String, Optional<LeaseStatus>> found) {
        PlaceFacts facts = new PlaceFacts(status, details, assigned);
        Predicate<String> isUndone = name -> {
            UnitPlace other = before.units().get(name);
            return other != null && other.state() != PlaceState.DONE;
        };
        Map<String, UnitPlace> places = new HashMap<>();
        before.units().forEach((name, place) -> places.put(name, facts.again(name, place)));
        found.forEach((name, unit) -> {
            if (unit.isEmpty()) {
                places.remove(name);
            } else {
                places.put(name, facts.place(unit.get(), isUndone));
            }
        });
        return new FleetMap(status, places, assigned);
    }

    /** The facts about all units besides their leases. */
    private record PlaceFacts(FleetStatus status, PlanDetails details, Map<String, String> assigned) {
        UnitPlace place(LeaseStatus unit, Predicate<String> isUndone) {
            Optional<String> holder = unit.isHeld() ? unit.holder().map(Holder::name) : Optional.empty();
            Optional<PlaceState> fixed = Optional.empty();
            if (unit.state() == LeaseState.DONE) {
                fixed = Optional.of(PlaceState.DONE);
            } else if (UnitAttributes.after(unit.attributes()).stream().anyMatch(isUndone)) {
                fixed = Optional.of(PlaceState.WAITING);
            }
            return place(
                    unit.key().name(),
                    fixed,
                    holder,
                    holder.flatMap(any -> Optional.ofNullable(unit.entry().grant()))
                            .map(Grant::grantedAt));
        }

        UnitPlace again(String name, UnitPlace place) {
            boolean isFixed = place.state() == PlaceState.DONE || place.state() == PlaceState.WAITING;
            return place(
                    name, isFixed ? Optional.of(place.state()) : Optional.empty(), place.heldBy(), place.grantedAt());
        }

        /**
         * The same order of facts as for the outlook of a unit: see {@link OutlookReader}.
         *
         * @param fixed the state that the unit has regardless of the plan
         */
        private UnitPlace place(
                String name, Optional<PlaceState> fixed, Optional<String> holder, Optional<Instant> grantedAt) {
            Optional<String> worker = Optional.ofNullable(assigned.get(name));
            Optional<Instant> rest =
                    Optional.ofNullable(details.resting().get(name)).map(FailureRest::until);
            PlaceState state;
            if (fixed.filter(PlaceState.DONE::equals).isPresent()) {
                state = PlaceState.DONE;
            } else if (status.control().paused().containsKey(name)) {
                state = PlaceState.PAUSED;
            } else if (fixed.isPresent()) {
                state = fixed.get();
            } else if (worker.isPresent()) {
                state = worker.equals(holder) ? PlaceState.HELD : PlaceState.ASSIGNED;
            } else if (holder.isPresent()) {
                state = PlaceState.HELD;
            } else if (rest.isPresent()) {
                state = PlaceState.RESTING;
            } else {
                state = details.reasons().isEmpty() ? PlaceState.FREE : PlaceState.UNPLACED;
            }
            return new UnitPlace(state, worker.or(() -> holder), holder, grantedAt, rest);
        }
    }
}
