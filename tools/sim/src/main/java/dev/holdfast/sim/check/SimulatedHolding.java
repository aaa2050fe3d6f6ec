package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.sim.world.SimProcess;

/** A lease in the hands of a simulated process. */
public final class SimulatedHolding implements LeaseUser {
    private final SimProcess process;
    private final long life;
    private final Lease lease;
    private final boolean watched;
    private boolean told;
    private boolean givenUp;

    /** @param watched whether the client has promised to tell of the loss by itself */
    public SimulatedHolding(SimProcess process, Lease lease, boolean watched) {
        this.process = process;
        this.life = process.life();
        this.lease = lease;
        this.watched = watched;
        lease.onLost(reason -> told = true);
    }

    public SimProcess process() {
        return process;
    }

    public Lease lease() {
        return lease;
    }

    /** Says that the process is done with it. */
    public void giveUp() {
        givenUp = true;
    }

    @Override
    public Key key() {
        return lease.key();
    }

    @Override
    public boolean isOver() {
        return givenUp || told || process.life() != life;
    }

    @Override
    public boolean isBelieved() {
        return process.life() == life && !lease.remaining().isZero();
    }

    boolean shouldHaveTold() {
        return watched && !isOver() && lease.remaining().isZero() && !process.isPaused();
    }

    @Override
    public String toString() {
        return lease.key() + " by " + process.name() + " with fence " + lease.fence();
    }
}
