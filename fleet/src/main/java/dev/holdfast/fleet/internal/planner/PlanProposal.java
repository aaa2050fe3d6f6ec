package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.UnplacedReason;
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
        Map<String, UnplacedReason> unplaced) {
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
        int[] next = ControlRules.apply(situation, planned);
        Map<String, List<String>> units = new LinkedHashMap<>();
        for (int worker = 0; worker < situation.workers(); worker++) {
            units.put(situation.worker(worker), new ArrayList<>());
        }
        Map<String, Integer> movedTo = new HashMap<>();
        Map<String, UnplacedReason> unplaced = new LinkedHashMap<>();
        UnplacedCause cause = new UnplacedCause(situation);
        int placed = 0;
        int moved = 0;
        int postponed = 0;
        for (int unit = 0; unit < next.length; unit++) {
            int owner = situation.owner(unit);
            int worker = next[unit];
            boolean canStay = owner != AssignmentStrategy.UNASSIGNED && situation.canStay(owner, unit);
            boolean isStranded = canStay && worker == AssignmentStrategy.UNASSIGNED && situation.isDrained(owner);
            if (isStranded) {
                worker = owner; // A worker that drains keeps its units until others can take them.
            } else if (!canStay) {
                placed += worker == owner ? 0 : 1;
            } else if (worker != owner && moved < limit(situation, unit, limits)) {
                moved++;
                if (worker != AssignmentStrategy.UNASSIGNED) {
                    movedTo.merge(situation.worker(worker), 1, Integer::sum);
                }
            } else if (worker != owner) {
                postponed++;
                worker = owner;
            }
            if (isStranded || worker == AssignmentStrategy.UNASSIGNED) {
                unplaced.put(situation.unit(unit), cause.reason(unit));
            }
            if (worker != AssignmentStrategy.UNASSIGNED) {
                units.computeIfAbsent(situation.worker(worker), it -> new ArrayList<>())
                        .add(situation.unit(unit));
            }
        }
        return new PlanProposal(units, movedTo, placed, moved, postponed, unplaced);
    }

    private static int limit(SituationTable situation, int unit, MoveLimits limits) {
        boolean isOrdered = situation.isDrained(situation.owner(unit))
                || situation.orderedWorker(unit) != AssignmentStrategy.UNASSIGNED;
        return isOrdered ? limits.ordered() : limits.balancing();
    }
}
