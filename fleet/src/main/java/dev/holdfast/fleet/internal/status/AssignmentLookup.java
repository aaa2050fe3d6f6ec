package dev.holdfast.fleet.internal.status;

import dev.holdfast.AsyncLeases;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.reports.AssignmentPart;
import dev.holdfast.fleet.internal.reports.PlanRevision;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A search for the worker that the plan gives a unit to. It reads the assignments of all workers. */
record AssignmentLookup(AsyncLeases leases, FleetKeyLayout layout) {
    /** A part that contains the unit. */
    private record FoundPart(String worker, int part, PlanRevision revision) {}

    CompletionStage<Optional<String>> worker(String unit) {
        Map<String, List<PlanRevision>> others = new HashMap<>();
        List<FoundPart> found = new ArrayList<>();
        return PagedKeyListing.over(leases, layout.assignments(), status -> {
                    int part = layout.assignmentPart(status.key());
                    AssignmentPart assignment = AssignmentPart.of(status.attributes());
                    if (part == 0) {
                        others.put(status.key().name(), assignment.others());
                    }
                    if (part >= 0 && isHeld(status) && assignment.units().contains(unit)) {
                        found.add(new FoundPart(status.key().name(), part, assignment.revision()));
                    }
                })
                .thenApply(nothing -> found.stream()
                        .filter(part -> isCurrent(part, others.getOrDefault(part.worker, List.of())))
                        .max(Comparator.comparing(FoundPart::revision))
                        .map(FoundPart::worker));
    }

    /** The planner holds the assignments of live workers. */
    private static boolean isHeld(LeaseStatus status) {
        return status.isHeld();
    }

    /** Parts that an assignment no longer needs are left behind. */
    private static boolean isCurrent(FoundPart found, List<PlanRevision> others) {
        return found.part == 0
                || (found.part <= others.size() && others.get(found.part - 1).equals(found.revision));
    }
}
