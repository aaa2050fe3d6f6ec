package dev.holdfast.sim.study;

import java.util.Arrays;
import java.util.BitSet;

/** Who works on what, as the workers themselves say. */
final class UnitCensus {
    private static final int NOBODY = -1;

    private final int[] owners;
    private final int[] loads;
    private final BitSet alive = new BitSet();
    private int held;
    private long begun;

    /** @param workers the most that there will ever be */
    UnitCensus(int units, int workers) {
        this.owners = new int[units];
        this.loads = new int[workers];
        Arrays.fill(owners, NOBODY);
    }

    int units() {
        return owners.length;
    }

    void born(int worker) {
        alive.set(worker);
    }

    void died(int worker) {
        alive.clear(worker);
        for (int unit = 0; unit < owners.length && loads[worker] > 0; unit++) {
            if (owners[unit] == worker) {
                ends(unit, worker);
            }
        }
    }

    void begins(int unit, int worker) {
        if (owners[unit] != NOBODY) {
            throw new IllegalStateException(unit + " is worked on by " + owners[unit] + " and " + worker);
        }
        owners[unit] = worker;
        loads[worker]++;
        held++;
        begun++;
    }

    void ends(int unit, int worker) {
        if (owners[unit] == worker) {
            owners[unit] = NOBODY;
            loads[worker]--;
            held--;
        }
    }

    int owner(int unit) {
        return owners[unit];
    }

    int load(int worker) {
        return loads[worker];
    }

    /** How often work on a unit has begun. */
    long begun() {
        return begun;
    }

    int workers() {
        return alive.cardinality();
    }

    BitSet alive() {
        return (BitSet) alive.clone();
    }

    boolean isAllHeld() {
        return held == owners.length;
    }

    /** All have the same number, to within one. */
    boolean isBalanced() {
        int least = owners.length / workers();
        int most = (owners.length + workers() - 1) / workers();
        return isAllHeld() && alive.stream().allMatch(worker -> loads[worker] >= least && loads[worker] <= most);
    }

    /**
     * How many units must move at least for {@code workers} to have the same number, to within one; if none is idle.
     */
    long excess(int workers) {
        int most = (owners.length + workers - 1) / workers;
        return alive.stream()
                .mapToLong(worker -> Math.max(0, loads[worker] - most))
                .sum();
    }
}
