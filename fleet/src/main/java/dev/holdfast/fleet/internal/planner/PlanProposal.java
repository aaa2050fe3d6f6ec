package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a strategy's plan that is carried out now. Unassigned units, and units that their worker cannot keep, are
 * assigned immediately. Moves between workers that could keep their units wait until the fleet is quiet, and their
 * number at a time is limited.
 */
final class PlanProposal {
    private final SituationTable situationTable;
    private final int[] next;
    private final Map<String, Integer> movedTo = new HashMap<>();
    private int placed;
    private int moved;
    private int postponed;
    private int unplaced;

    /** @param mayMove how many units may be moved from workers that could keep them */
    PlanProposal(SituationTable situationTable, AssignmentStrategy assignmentStrategy, int mayMove) {
        this.situationTable = situationTable;
        int[] desired = assignmentStrategy.assign(situationTable);
        if (desired.length != situationTable.units()) {
            throw ArgumentCheck.bad(
                    "strategy", desired.length + " units", "as many as there are: " + situationTable.units());
        }
        this.next = desired;
        int budget = mayMove;
        for (int unit = 0; unit < next.length; unit++) {
            int owner = situationTable.owner(unit);
            if (owner == AssignmentStrategy.UNASSIGNED || !canStay(owner, unit)) {
                placed += next[unit] == owner ? 0 : 1;
            } else if (next[unit] != owner && budget > 0) {
                budget--;
                move(unit);
            } else if (next[unit] != owner) {
                postponed++;
                next[unit] = owner;
            }
            unplaced += next[unit] == AssignmentStrategy.UNASSIGNED ? 1 : 0;
        }
    }

    private boolean canStay(int owner, int unit) {
        return !situationTable.isLeaving(owner) && situationTable.mayHave(owner, unit);
    }

    private void move(int unit) {
        moved++;
        if (next[unit] != AssignmentStrategy.UNASSIGNED) {
            movedTo.merge(situationTable.worker(next[unit]).name(), 1, Integer::sum);
        }
    }

    /** Returns the units of each worker, in the order of the workers. */
    List<List<String>> units() {
        List<List<String>> units = new ArrayList<>();
        for (int worker = 0; worker < situationTable.workers(); worker++) {
            units.add(new ArrayList<>());
        }
        for (int unit = 0; unit < next.length; unit++) {
            if (next[unit] != AssignmentStrategy.UNASSIGNED) {
                units.get(next[unit]).add(situationTable.unit(unit));
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
