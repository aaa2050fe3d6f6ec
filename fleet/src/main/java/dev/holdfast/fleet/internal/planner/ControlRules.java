package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import java.util.stream.IntStream;

/**
 * The rules by which orders of operators change the plan of a strategy. Pure functions. Paused units are not part of the
 * situation, and drained workers have no capacity in it, so strategies need not know of either.
 */
final class ControlRules {
    private ControlRules() {}

    /** Returns the plan that follows the orders. */
    static int[] apply(SituationTable situation, int[] plan) {
        int[] next = plan.clone();
        for (int unit = 0; unit < next.length; unit++) {
            int owner = situation.owner(unit);
            boolean hasOwner = owner != AssignmentStrategy.UNASSIGNED && !situation.isLeaving(owner);
            if (situation.isFrozen() && hasOwner) {
                next[unit] = owner;
            } else if (next[unit] != AssignmentStrategy.UNASSIGNED && situation.isDrained(next[unit])) {
                next[unit] = AssignmentStrategy.UNASSIGNED;
            }
        }
        if (!situation.isFrozen()) {
            IntStream.range(0, next.length).forEach(unit -> followMove(situation, next, unit));
        }
        return next;
    }

    /**
     * Gives a moved unit to its worker. That worker gives another unit in exchange, so that the plan stays as balanced as
     * the strategy made it, and no worker exceeds its capacity.
     */
    private static void followMove(SituationTable situation, int[] next, int unit) {
        int target = situation.orderedWorker(unit);
        boolean isOver = target == AssignmentStrategy.UNASSIGNED
                || situation.isLeaving(target)
                || situation.isDrained(target)
                || !situation.mayHave(target, unit);
        if (isOver || next[unit] == target) {
            return;
        }
        int exchanged = exchange(situation, next, unit, target);
        long count = IntStream.of(next).filter(worker -> worker == target).count();
        if (exchanged >= 0) {
            next[exchanged] = next[unit];
            next[unit] = target;
        } else if (count < situation.capacity(target)) {
            next[unit] = target;
        }
    }

    /**
     * Returns a unit that the target can give for {@code unit}; -1 if there is none. It is no heavier: otherwise a
     * strategy by weight could want it back in the next plan, again and again. A unit that moves to the target in this
     * plan is preferred, because then one move less is needed.
     */
    private static int exchange(SituationTable situation, int[] next, int unit, int target) {
        int giver = next[unit];
        int found = -1;
        for (int other = 0; giver != AssignmentStrategy.UNASSIGNED && other < next.length; other++) {
            boolean fits = next[other] == target
                    && situation.orderedWorker(other) != target
                    && situation.weight(other) <= situation.weight(unit)
                    && situation.mayHave(giver, other);
            if (fits && situation.owner(other) != target) {
                return other;
            }
            found = fits && found < 0 ? other : found;
        }
        return found;
    }
}
