package dev.holdfast.fleet;

import java.util.Arrays;

/** A plan under construction: the worker of each unit, the room left on each worker, and the units still to assign. */
final class PlanDraft {
    final FleetSituation situation;
    final int[] plan;
    final int[] counts;

    /** Starts with every unit on its current worker, if it may stay there. */
    PlanDraft(FleetSituation fleetSituation) {
        this.situation = fleetSituation;
        this.plan = new int[fleetSituation.units()];
        this.counts = new int[fleetSituation.workers()];
        Arrays.fill(plan, AssignmentStrategy.UNASSIGNED);
        for (int unit = 0; unit < plan.length; unit++) {
            int owner = fleetSituation.owner(unit);
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
        int[] found = new int[plan.length];
        int size = 0;
        for (int unit = 0; unit < plan.length; unit++) {
            if (plan[unit] == AssignmentStrategy.UNASSIGNED) {
                found[size++] = unit;
            }
        }
        return Arrays.copyOf(found, size);
    }
}
