package dev.holdfast.sim.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A model of a8m/lease and of Amazon KCL's lease package, which have no planner. Every worker renews each of its leases
 * and lists all leases. It takes leases that it has not seen renewed for a term, until it has its share. If there are
 * none, it steals one at a time from the worker with the most.
 *
 * <p>Simplifications of the model favour these libraries: no renewal fails, a listing is a snapshot and takes no time,
 * and a worker stops immediately when a lease is stolen from it. Requests are counted, not made: each renewal and each
 * attempt to take a lease is a write, each page of a listing a request. A worker lists with every renewal and every
 * attempt to take, like a8m; KCL lists only with the latter.
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

    /** The owners of leases that this worker has not seen renewed for a term. It sees a renewal in its next listing. */
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

    /**
     * The worker's share: units per live worker, rounded up. Live are the owners of unexpired leases, and this worker.
     */
    private int target(int worker, List<Integer> dead) {
        int seen = modelLeaseTable.owners().cardinality() - dead.size() + (modelLeaseTable.load(worker) == 0 ? 1 : 0);
        return (census().units() + seen - 1) / seen;
    }

    /**
     * Tries to take the leases that were free in its listing, one after another. Other workers do so too, from their
     * own listings.
     *
     * @param listed the number of leases that were free then and that it has not tried yet
     */
    private void tryNext(int worker, int wanted, int listed) {
        int free = modelLeaseTable.free();
        if (wanted == 0 || !alive.get(worker)) {
            return;
        }
        if (free == 0) {
            requests().writes(wanted); // All remaining attempts fail.
            return;
        }
        requests().write();
        // A lease that is free now was free then, and has not been tried.
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

    /** Workers stop when none has more than its share, rounded up: one may be left with less. */
    @Override
    boolean isAtRest() {
        return census().isAllHeld() && census().excess(census().workers()) == 0;
    }
}
