package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetSituation;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** A plan under construction: the worker of each unit, the room left on each worker, and the units still to assign. */
final class AssignmentDraft {
    final FleetSituation situation;
    final int[] plan;
    final int[] counts;

    /** Starts with every unit on its current worker, if it may stay there. */
    AssignmentDraft(FleetSituation fleetSituation) {
        this(fleetSituation, fleetSituation::owner);
    }

    /** Starts with a plan that was made before, as far as units may stay there. */
    AssignmentDraft(FleetSituation fleetSituation, IntUnaryOperator workerOf) {
        this.situation = fleetSituation;
        this.plan = new int[fleetSituation.units()];
        this.counts = new int[fleetSituation.workers()];
        Arrays.fill(plan, AssignmentStrategy.UNASSIGNED);
        for (int unit = 0; unit < plan.length; unit++) {
            int owner = workerOf.applyAsInt(unit);
            boolean stays = owner != AssignmentStrategy.UNASSIGNED
                    && counts[owner] < fleetSituation.capacity(owner)
                    && fleetSituation.mayHave(owner, unit);
            if (stays) {
                place(unit, owner);
            }
        }
    }

    void place(int unit, int worker) {
        plan[unit] = worker;
        counts[worker]++;
    }

    void take(int unit) {
        counts[plan[unit]]--;
        plan[unit] = AssignmentStrategy.UNASSIGNED;
    }

    boolean hasRoom(int worker) {
        return counts[worker] < situation.capacity(worker);
    }

    int[] unplaced() {
        return IntStream.range(0, plan.length)
                .filter(unit -> plan[unit] == AssignmentStrategy.UNASSIGNED)
                .toArray();
    }
}
