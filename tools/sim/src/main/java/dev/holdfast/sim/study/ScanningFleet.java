package dev.holdfast.sim.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A model of a8m/lease and of Amazon KCL's lease package: no planner; every worker renews each of its leases by itself,
 * lists all of them, takes what nobody has renewed for a term of its own watching until it has its share, and otherwise
 * steals one at a time from whoever has most.
 *
 * <p>Where the real thing is not modelled, that is in its favour: no renewal fails, a listing is of one moment and
 * takes no time, whoever is stolen from stops at once. Requests are counted, not made: each renewal and each attempt to
 * take is a write, each page of a listing a request. A listing is made with every renewal and every attempt to take, as
 * a8m does; KCL makes only the latter.
 */
final class ScanningFleet extends FleetDeployment {
    private static final long EPSILON = Duration.ofMillis(25).toNanos();
    private static final long RENEW = TERM.toNanos() / 3 - EPSILON;
    private static final long TAKE = 2 * (TERM.toNanos() + EPSILON);

    private final ModelLeaseTable modelLeaseTable;
    private final long[] startedNanos;
    private final long[] renewedNanos;
    private final BitSet alive = new BitSet();

    ScanningFleet(long seed, int units, int workers) {
        super(seed, units, workers);
        this.modelLeaseTable = new ModelLeaseTable(units, workers, world().random());
        this.startedNanos = new long[workers];
        this.renewedNanos = new long[workers];
    }

    @Override
    void start(int worker) {
        alive.set(worker);
        census().born(worker);
        startedNanos[worker] = world().nowNanos();
        renew(worker);
        take(worker);
    }

    private void renew(int worker) {
        if (alive.get(worker)) {
            renewedNanos[worker] = world().nowNanos();
            requests().writes(modelLeaseTable.load(worker));
            list();
            world().after(RENEW, () -> renew(worker));
        }
    }

    private void list() {
        requests().pages((census().units() + PAGE - 1) / PAGE);
    }

    private void take(int worker) {
        if (!alive.get(worker)) {
            return;
        }
        list();
        world().after(TAKE, () -> take(worker));
        List<Integer> dead = expired(worker);
        int needed = target(worker, dead) - modelLeaseTable.load(worker);
        if (needed <= 0) {
            return;
        }
        int free = modelLeaseTable.free();
        if (free > 0) {
            tryNext(worker, Math.min(needed, free), free);
        } else if (!dead.isEmpty()) {
            takeFrom(worker, dead, needed);
        } else {
            steal(worker, needed);
        }
    }

    /** Whose leases this worker has seen stand still for a term. It sees a renewal when it next lists. */
    private List<Integer> expired(int worker) {
        List<Integer> dead = new ArrayList<>();
        modelLeaseTable.owners().stream().filter(owner -> !alive.get(owner)).forEach(owner -> {
            if (world().nowNanos() - firstListing(worker, renewedNanos[owner]) > TERM.toNanos()) {
                dead.add(owner);
            }
        });
        return dead;
    }

    private long firstListing(int worker, long after) {
        long since = Math.max(0, after - startedNanos[worker]);
        long renewals = startedNanos[worker] + (since + RENEW - 1) / RENEW * RENEW;
        long takes = startedNanos[worker] + (since + TAKE - 1) / TAKE * TAKE;
        return Math.min(renewals, takes);
    }

    /** Those who hold something that is not expired are alive, and so is this one. */
    private int target(int worker, List<Integer> dead) {
        int seen = modelLeaseTable.owners().cardinality() - dead.size() + (modelLeaseTable.load(worker) == 0 ? 1 : 0);
        return (census().units() + seen - 1) / seen;
    }

    /**
     * Tries those that were free when it listed, one after another; others do so too, from their own lists.
     *
     * @param listed how many of those it has not tried yet were free then
     */
    private void tryNext(int worker, int wanted, int listed) {
        int free = modelLeaseTable.free();
        if (wanted == 0 || !alive.get(worker)) {
            return;
        }
        if (free == 0) {
            requests().writes(wanted); // All that is left is in vain.
            return;
        }
        requests().write();
        // Any that is free now was free then, and has not been tried.
        if (world().chance((double) free / listed)) {
            move(modelLeaseTable.takeFree(worker), worker);
        }
        world().after(ROUND_TRIP.toNanos(), () -> tryNext(worker, wanted - 1, listed - 1));
    }

    private void takeFrom(int worker, List<Integer> dead, int needed) {
        for (int taken = 0; taken < needed && !dead.isEmpty(); taken++) {
            int index = world().random().nextInt(dead.size());
            requests().write();
            move(modelLeaseTable.takeFrom(dead.get(index), worker), worker);
            if (modelLeaseTable.load(dead.get(index)) == 0) {
                dead.remove(index);
            }
        }
    }

    private void steal(int worker, int needed) {
        int victim = modelLeaseTable.mostLoaded();
        int target = modelLeaseTable.load(worker) + needed;
        if (modelLeaseTable.load(victim) > target || (needed > 1 && modelLeaseTable.load(victim) == target)) {
            requests().write();
            int unit = modelLeaseTable.takeFrom(victim, worker);
            census().ends(unit, victim);
            move(unit, worker);
        }
    }

    private void move(int unit, int worker) {
        if (census().owner(unit) < 0) {
            census().begins(unit, worker);
        }
    }

    @Override
    void kill(int worker) {
        alive.clear(worker);
        census().died(worker);
    }

    @Override
    int planner() {
        return -1;
    }

    /** It stops when nobody has more than the share, rounded up: one may be left with less. */
    @Override
    boolean isAtRest() {
        return census().isAllHeld() && census().excess(census().workers()) == 0;
    }
}
