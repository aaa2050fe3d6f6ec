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
 */
final class PlanProposal {
    private final SituationTable situation;
    private final int[] next;
    private final Map<String, Integer> movedTo = new HashMap<>();
    private int placed;
    private int moved;
    private int postponed;
    private int unplaced;

    /** @param mayMove how many units may be moved from workers that could keep them */
    PlanProposal(SituationTable situation, AssignmentStrategy assignmentStrategy, int mayMove) {
        this.situation = situation;
        int[] desired = assignmentStrategy.assign(situation);
        if (desired.length != situation.units()) {
            throw ArgumentCheck.bad(
                    "strategy", desired.length + " units", "as many as there are: " + situation.units());
        }
        this.next = desired;
        int budget = mayMove;
        for (int unit = 0; unit < next.length; unit++) {
            int owner = situation.owner(unit);
            if (owner == AssignmentStrategy.NOBODY || !canStay(owner, unit)) {
                placed += next[unit] == owner ? 0 : 1;
            } else if (next[unit] != owner && budget > 0) {
                budget--;
                move(unit);
            } else if (next[unit] != owner) {
                postponed++;
                next[unit] = owner;
            }
            unplaced += next[unit] == AssignmentStrategy.NOBODY ? 1 : 0;
        }
    }

    private boolean canStay(int owner, int unit) {
        return !situation.isLeaving(owner) && situation.mayHave(owner, unit);
    }

    private void move(int unit) {
        moved++;
        if (next[unit] != AssignmentStrategy.NOBODY) {
            movedTo.merge(situation.worker(next[unit]), 1, Integer::sum);
        }
    }

    /** Returns the units of each worker by its name, in the order of the workers. */
    Map<String, List<String>> units() {
        Map<String, List<String>> units = new LinkedHashMap<>();
        for (int worker = 0; worker < situation.workers(); worker++) {
            units.put(situation.worker(worker), new ArrayList<>());
        }
        for (int unit = 0; unit < next.length; unit++) {
            if (next[unit] != AssignmentStrategy.NOBODY) {
                units.computeIfAbsent(situation.worker(next[unit]), it -> new ArrayList<>())
                        .add(situation.unit(unit));
            }
        }
        return units;
    }

    /** Returns, for each worker, the number of units it gets that another worker must first release. */
    Map<String, Integer> movedTo() {
        return movedTo;
    }

    int placed() {
        return placed;
    }

    int moved() {
        return moved;
    }

    int postponed() {
        return postponed;
    }

    int unplaced() {
        return unplaced;
    }
}
