package dev.holdfast.sim.fleet;

import dev.holdfast.fleet.Unit;
import dev.holdfast.sim.world.SimProcess;

/** A unit in the hands of a simulated worker, from when it was told to begin until it has stopped. */
public final class UnitWork {
    private final SimProcess process;
    private final long life;
    private final Unit unit;
    private boolean toldToStop;
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

    /** Its worker was asked to stop; it may take a while. */
    public void tellToStop() {
        toldToStop = true;
    }

    public void stop() {
        stopped = true;
    }

    /** Whether its process is still the one that began, and has not stopped. */
    public boolean isGoingOn() {
        return !stopped && process.life() == life;
    }

    public boolean isToldToStop() {
        return toldToStop;
    }

    /** Whether its worker, if it looks at its own clocks now, believes that the unit is its own. */
    public boolean isBelieved() {
        return process.life() == life && !unit.remaining().isZero();
    }

    @Override
    public String toString() {
        return unit.name() + " by " + process.name() + " with fence " + unit.fence();
    }
}
