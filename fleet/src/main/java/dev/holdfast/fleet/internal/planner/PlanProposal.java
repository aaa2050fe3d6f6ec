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
 * number at a time is limited.
 *
 * @param units the units of each worker by its name, in the order of the workers
 * @param movedTo for each worker, the number of units it gets that another worker must first release
 */
record PlanProposal(
        Map<String, List<String>> units,
        Map<String, Integer> movedTo,
        int placed,
        int moved,
        int postponed,
        int unplaced) {
    /** @param mayMove how many units may be moved from workers that could keep them */
    static PlanProposal of(SituationTable situation, AssignmentStrategy strategy, int mayMove) {
        int[] next = strategy.assign(situation);
        if (next.length != situation.units()) {
            throw ArgumentCheck.bad("strategy", next.length + " units", "as many as there are: " + situation.units());
        }
        Map<String, List<String>> units = new LinkedHashMap<>();
        for (int worker = 0; worker < situation.workers(); worker++) {
            units.put(situation.worker(worker), new ArrayList<>());
        }
        Map<String, Integer> movedTo = new HashMap<>();
        int placed = 0;
        int moved = 0;
        int postponed = 0;
        int unplaced = 0;
        for (int unit = 0; unit < next.length; unit++) {
            int owner = situation.owner(unit);
            int worker = next[unit];
            if (owner == AssignmentStrategy.UNASSIGNED || !situation.canStay(owner, unit)) {
                placed += worker == owner ? 0 : 1;
            } else if (worker != owner && moved < mayMove) {
                moved++;
                if (worker != AssignmentStrategy.UNASSIGNED) {
                    movedTo.merge(situation.worker(worker), 1, Integer::sum);
                }
            } else if (worker != owner) {
                postponed++;
                worker = owner;
            }
            if (worker == AssignmentStrategy.UNASSIGNED) {
                unplaced++;
            } else {
                units.computeIfAbsent(situation.worker(worker), it -> new ArrayList<>())
                        .add(situation.unit(unit));
            }
        }
        return new PlanProposal(units, movedTo, placed, moved, postponed, unplaced);
    }
}
