package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a strategy's plan that is carried out now. Unassigned units, and units that their worker cannot keep, are
 * assigned immediately. Moves between workers that could keep their units wait until the fleet is quiet, and their
 * number at a time is limited. Moves that an operator ordered, by a drain or one by one, are limited, too, but need not
 * wait.
 *
 * @param units the units of each worker by its name, in the order of the workers
 * @param movedTo for each worker, the number of units it gets that another worker must first release
 * @param unplaced the units that no worker can have, or that no worker can take from a draining one
 */
record PlanProposal(
        Map<String, List<String>> units,
        Map<String, Integer> movedTo,
        int placed,
        int moved,
        int postponed,
        Map<String, PlacementObstacle> unplaced) {
    /**
     * The number of units that may be moved from workers that could keep them.
     *
     * @param ordered if an operator ordered the move
     * @param balancing otherwise; not more than {@code ordered}
     */
    record MoveLimits(int ordered, int balancing) {}

    static PlanProposal of(SituationTable situation, AssignmentStrategy strategy, MoveLimits limits) {
        int[] planned = strategy.assign(situation);
        if (planned.length != situation.units()) {
            throw ArgumentCheck.bad(
                    "strategy", planned.length + " units", "as many as there are: " + situation.units());
        }
        int[] next = ControlRules.apply(situation, PlacementLimits.withoutViolations(situation, planned));
        int[] now = PlacementLimits.apply(situation, next, limits);
        Map<String, List<String>> units = new LinkedHashMap<>();
        for (int worker = 0; worker < situation.workers(); worker++) {
            units.put(situation.worker(worker), new ArrayList<>());
        }
        Map<String, Integer> movedTo = new HashMap<>();
        Map<String, PlacementObstacle> unplaced = new LinkedHashMap<>();
        UnplacedCause cause = new UnplacedCause(situation, now);
        int placed = 0;
        int moved = 0;
        int postponed = 0;
        for (int unit = 0; unit < next.length; unit++) {
            int owner = situation.owner(unit);
            int worker = now[unit];
            boolean canStay = owner != AssignmentStrategy.UNASSIGNED && situation.canStay(owner, unit);
            boolean isStranded = PlacementLimits.isStranded(situation, next, unit);
            postponed += worker == next[unit] || isStranded ? 0 : 1;
            if (!canStay) {
                placed += worker == owner ? 0 : 1;
            } else if (worker != owner) {
                moved++;
                if (worker != AssignmentStrategy.UNASSIGNED) {
                    movedTo.merge(situation.worker(worker), 1, Integer::sum);
                }
            }
            if (isStranded || worker == AssignmentStrategy.UNASSIGNED) {
                unplaced.put(situation.unit(unit), cause.obstacle(unit));
            }
            if (worker != AssignmentStrategy.UNASSIGNED) {
                units.computeIfAbsent(situation.worker(worker), it -> new ArrayList<>())
                        .add(situation.unit(unit));
            }
        }
        return new PlanProposal(units, movedTo, placed, moved, postponed, unplaced);
    }
}
