package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.UnitOutlook.FailureRest;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.fleet.internal.reports.MissingLabels;
import dev.holdfast.fleet.internal.reports.PlanDetails;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The planner's summary of its last plan, for its reports.
 *
 * @param paused the number of paused units
 * @param waiting the number of units that wait for others to be done
 * @param reasons the number of unplaced units by reason
 * @param missing the number of units that require labels which no worker has, by these labels
 */
record PlanSummary(
        long paused,
        long waiting,
        Map<UnplacedReason, Long> reasons,
        Map<LabelConditions, Long> missing,
        Map<String, UnplacedReason> unplaced) {
    static final PlanSummary NONE = new PlanSummary(0, 0, Map.of(), Map.of(), Map.of());

    static PlanSummary of(FleetObserver fleetObserver, PlanProposal proposal) {
        UnitCatalog catalog = fleetObserver.catalog();
        long paused = fleetObserver.orders().state().paused().keySet().stream()
                .filter(catalog::isOpen)
                .count();
        Map<UnplacedReason, Long> reasons = new EnumMap<>(UnplacedReason.class);
        Map<LabelConditions, Long> missing = new LinkedHashMap<>();
        Map<String, UnplacedReason> unplaced = new LinkedHashMap<>();
        proposal.unplaced().forEach((unit, obstacle) -> {
            unplaced.put(unit, obstacle.reason());
            reasons.merge(obstacle.reason(), 1L, Long::sum);
            if (obstacle.reason() == UnplacedReason.LABELS) {
                missing.merge(obstacle.missing(), 1L, Long::sum);
            }
        });
        return new PlanSummary(paused, catalog.waitingCount(), reasons, missing, unplaced);
    }

    /** Returns the part of a report that explains the plan. */
    PlanDetails details(long orders, PlacementHistory history, long nowNanos, Instant now) {
        Map<String, FailureRest> resting = new LinkedHashMap<>();
        // Units that no worker can have come first, because readers need their back-off most.
        history.failedUnits().stream()
                .sorted(Comparator.comparing((String unit) -> !unplaced.containsKey(unit))
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(unit -> {
                    FailureRest rest = history.rest(unit, nowNanos, now);
                    if (rest != null) {
                        resting.put(unit, rest);
                    }
                });
        return new PlanDetails(
                orders,
                paused,
                waiting,
                reasons,
                MissingLabels.of(missing),
                PlanDetails.limited(unplaced),
                PlanDetails.limited(resting));
    }
}
