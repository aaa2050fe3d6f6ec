package dev.holdfast.sim.check;

import dev.holdfast.fleet.Unit;
import dev.holdfast.sim.world.SimProcess;

/** The work of a simulated worker on one unit, from its assignment until the worker has stopped. */
public final class UnitWork {
    private final SimProcess process;
    private final long life;
    private final Unit unit;
    private boolean stopRequested;
    private boolean stopped;

    public UnitWork(SimProcess process, Unit unit) {
        this.process = process;
        this.life = process.life();
        this.unit = unit;
    }

    public SimProcess process() {
        return process;
    }

    public Unit unit() {
        return unit;
    }

    public String name() {
        return unit.name();
    }

    /** Records that the worker was notified to stop, which may take a while. */
    public void requestStop() {
        stopRequested = true;
    }

    public void stop() {
        stopped = true;
    }

    /** Whether the worker has not stopped and its process has not restarted. */
    public boolean isGoingOn() {
        return !stopped && isOfThisLife();
    }

    /** Whether its process has not crashed since the work began. */
    public boolean isOfThisLife() {
        return process.life() == life;
    }

    public boolean isStopRequested() {
        return stopRequested;
    }

    /** Whether the unit's lease is valid by the worker's own clocks now. */
    public boolean isValid() {
        return isOfThisLife() && !unit.remaining().isZero();
    }

    /** Whether the worker works on the unit, and its lease is valid. */
    public boolean isAtWork() {
        return isGoingOn() && isValid();
    }

    @Override
    public String toString() {
        return unit.name() + " by " + process.name() + " with fence " + unit.fence();
    }
}
