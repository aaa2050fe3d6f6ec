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
import java.util.function.Predicate;

/** A search for the workers that the plan gives units to. It reads the assignments of all workers. */
record AssignmentLookup(AsyncLeases leases, FleetKeyLayout layout) {
    /** A part that contains wanted units. */
    private record FoundPart(String worker, int part, PlanRevision revision, List<String> units) {}

    CompletionStage<Optional<String>> worker(String unit) {
        return search(unit::equals).thenApply(found -> Optional.ofNullable(found.get(unit)));
    }

    /** The workers of all assigned units, by unit. */
    CompletionStage<Map<String, String>> all() {
        return search(unit -> true);
    }

    private CompletionStage<Map<String, String>> search(Predicate<String> wanted) {
        Map<String, List<PlanRevision>> others = new HashMap<>();
        List<FoundPart> found = new ArrayList<>();
        return PagedKeyListing.over(leases, layout.assignments(), status -> {
                    int part = layout.assignmentPart(status.key());
                    AssignmentPart assignment = AssignmentPart.of(status.attributes());
                    if (part == 0) {
                        others.put(status.key().name(), assignment.others());
                    }
                    List<String> units =
                            assignment.units().stream().filter(wanted).toList();
                    if (part >= 0 && isHeld(status) && !units.isEmpty()) {
                        found.add(new FoundPart(status.key().name(), part, assignment.revision(), units));
                    }
                })
                .thenApply(nothing -> {
                    Map<String, String> workers = new HashMap<>();
                    found.stream()
                            .filter(part -> isCurrent(part, others.getOrDefault(part.worker, List.of())))
                            .sorted(Comparator.comparing(FoundPart::revision))
                            .forEach(part -> part.units.forEach(unit -> workers.put(unit, part.worker)));
                    return workers;
                });
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
