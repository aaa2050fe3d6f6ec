package dev.holdfast.sim.study;

import java.util.Arrays;
import java.util.BitSet;

/** A census of which worker works on which unit, as the workers report it. */
final class UnitCensus {
    private static final int NO_WORKER = -1;

    private final int[] owners;
    private final int[] loads;
    private final BitSet alive = new BitSet();
    private int held;
    private long begun;

    /** @param workers the largest number of workers over the whole trial */
    UnitCensus(int units, int workers) {
        this.owners = new int[units];
        this.loads = new int[workers];
        Arrays.fill(owners, NO_WORKER);
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
        if (owners[unit] != NO_WORKER) {
            throw new IllegalStateException(unit + " is worked on by " + owners[unit] + " and " + worker);
        }
        owners[unit] = worker;
        loads[worker]++;
        held++;
        begun++;
    }

    void ends(int unit, int worker) {
        if (owners[unit] == worker) {
            owners[unit] = NO_WORKER;
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

    /** Whether every unit has a worker, and no two workers differ by more than one unit. */
    boolean isBalanced() {
        int least = owners.length / workers();
        int most = (owners.length + workers() - 1) / workers();
        return isAllHeld() && alive.stream().allMatch(worker -> loads[worker] >= least && loads[worker] <= most);
    }

    /** The number of units that must move at least for a balance over {@code workers}, if no unit is idle. */
    long excess(int workers) {
        int most = (owners.length + workers - 1) / workers;
        return alive.stream()
                .mapToLong(worker -> Math.max(0, loads[worker] - most))
                .sum();
    }
}
