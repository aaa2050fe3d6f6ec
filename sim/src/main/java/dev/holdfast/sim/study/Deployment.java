package dev.holdfast.sim.study;

import dev.holdfast.sim.world.World;
import java.time.Duration;

/** Some workers that share units, on virtual time. */
abstract class Deployment {
    static final Duration TERM = Duration.ofSeconds(10);

    /** Of a call, there and back. */
    static final Duration ROUND_TRIP = Duration.ofMillis(2);

    /** How many entries a page of a listing has, for everybody. */
    static final int PAGE = 1000;

    private final World world;
    private final Census census;
    private final Requests requests = new Requests();

    /** @param workers the most that there will ever be */
    Deployment(long seed, int units, int workers) {
        this.world = new World(seed);
        this.census = new Census(units, workers);
    }

    final World world() {
        return world;
    }

    final Census census() {
        return census;
    }

    final Requests requests() {
        return requests;
    }

    abstract void start(int worker);

    /** As by kill -9. */
    abstract void kill(int worker);

    /** Which worker plans for all; -1 if none does. */
    abstract int planner();

    /** Whether no more units will move unless something happens. */
    abstract boolean isAtRest();
}
