package dev.holdfast.sim.study;

import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;

/** A deployment of workers that share units, on virtual time. */
abstract class FleetDeployment {
    static final Duration TERM = Duration.ofSeconds(10);

    /** The round trip of a store call. */
    static final Duration ROUND_TRIP = Duration.ofMillis(2);

    /** The number of entries on a page of a listing, the same in all deployments. */
    static final int PAGE = 1000;

    private final SimWorld world;
    private final UnitCensus census;
    private final RequestCount requests = new RequestCount();

    /** @param workers the largest number of workers over the whole trial */
    FleetDeployment(long seed, int units, int workers) {
        this.world = new SimWorld(seed);
        this.census = new UnitCensus(units, workers);
    }

    final SimWorld world() {
        return world;
    }

    final UnitCensus census() {
        return census;
    }

    final RequestCount requests() {
        return requests;
    }

    abstract void start(int worker);

    /** Ends a worker like {@code kill -9}. */
    abstract void kill(int worker);

    /** The worker that is the planner; -1 if there is none. */
    abstract int planner();

    /** Whether no more units will move unless workers or units change. */
    abstract boolean isAtRest();
}
