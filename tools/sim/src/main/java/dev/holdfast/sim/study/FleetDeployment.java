package dev.holdfast.sim.study;

import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;

/** Some workers that share units, on virtual time. */
abstract class FleetDeployment {
    static final Duration TERM = Duration.ofSeconds(10);

    /** Of a call, there and back. */
    static final Duration ROUND_TRIP = Duration.ofMillis(2);

    /** How many entries a page of a listing has, for everybody. */
    static final int PAGE = 1000;

    private final SimWorld simWorld;
    private final UnitCensus unitCensus;
    private final RequestCount requestCount = new RequestCount();

    /** @param workers the most that there will ever be */
    FleetDeployment(long seed, int units, int workers) {
        this.simWorld = new SimWorld(seed);
        this.unitCensus = new UnitCensus(units, workers);
    }

    final SimWorld world() {
        return simWorld;
    }

    final UnitCensus census() {
        return unitCensus;
    }

    final RequestCount requests() {
        return requestCount;
    }

    abstract void start(int worker);

    /** As by kill -9. */
    abstract void kill(int worker);

    /** Which worker plans for all; -1 if none does. */
    abstract int planner();

    /** Whether no more units will move unless something happens. */
    abstract boolean isAtRest();
}
