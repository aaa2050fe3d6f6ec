package dev.holdfast.sim.check;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;

/** A lease that a simulated process holds. */
public final class SimulatedHolding implements PossibleHolder {
    private final SimProcess process;
    private final long life;
    private final Lease lease;
    private final boolean watched;
    private boolean lossReported;
    private boolean givenUp;

    /** @param watched whether the client must report a loss by itself, in the background */
    public SimulatedHolding(SimProcess process, Lease lease, boolean watched) {
        this.process = process;
        this.life = process.life();
        this.lease = lease;
        this.watched = watched;
        lease.onLost(reason -> lossReported = true);
    }

    @Override
    public SimProcess process() {
        return process;
    }

    @Override
    public Fence fence() {
        return lease.fence();
    }

    @Override
    public Duration remaining() {
        return process.life() == life ? lease.remaining() : Duration.ZERO;
    }

    public Lease lease() {
        return lease;
    }

    /** Records that the process has given up the lease. */
    public void giveUp() {
        givenUp = true;
    }

    @Override
    public Key key() {
        return lease.key();
    }

    @Override
    public boolean isOver() {
        return givenUp || lossReported || process.life() != life;
    }

    @Override
    public boolean isValid() {
        return !remaining().isZero();
    }

    /** Whether the term is over and the client has not reported that, although it could. */
    boolean isLossUnreported() {
        return watched && !isOver() && lease.remaining().isZero() && !process.isPaused();
    }

    @Override
    public String toString() {
        return lease.key() + " by " + process.name() + " with fence " + lease.fence();
    }
}
