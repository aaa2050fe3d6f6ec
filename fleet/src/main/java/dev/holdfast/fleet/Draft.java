package dev.holdfast.fleet;

import java.util.Arrays;

/** A plan in the making: who keeps what, who has room, and what is left to be placed. */
final class Draft {
    final Situation situation;
    final int[] plan;
    final int[] counts;

    /** Begins with everything where it is, if it may stay there. */
    Draft(Situation situation) {
        this.situation = situation;
        this.plan = new int[situation.units()];
        this.counts = new int[situation.workers()];
        Arrays.fill(plan, Strategy.NOBODY);
        for (int unit = 0; unit < plan.length; unit++) {
            int owner = situation.owner(unit);
            boolean stays = owner != Strategy.NOBODY
                    && counts[owner] < situation.capacity(owner)
                    && situation.mayHave(owner, unit);
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
        plan[unit] = Strategy.NOBODY;
    }

    boolean hasRoom(int worker) {
        return counts[worker] < situation.capacity(worker);
    }

    int[] unplaced() {
        int[] found = new int[plan.length];
        int size = 0;
        for (int unit = 0; unit < plan.length; unit++) {
            if (plan[unit] == Strategy.NOBODY) {
                found[size++] = unit;
            }
        }
        return Arrays.copyOf(found, size);
    }
}
