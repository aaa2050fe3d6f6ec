package dev.holdfast.fleet.internal;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Strategy;
import dev.holdfast.spi.Runtime;

/**
 * What a worker is made of.
 *
 * @param capacity the most units that it takes
 * @param inside marks the threads that run the worker's steps and callbacks
 */
public record Setup(
        Leases leases,
        Names names,
        String worker,
        int capacity,
        FleetOptions options,
        UnitCalls calls,
        WorkerScope inside,
        FleetListener listener,
        Strategy strategy) {
    public Setup {
        Names.worker(worker);
    }

    AsyncLeases async() {
        return leases.async();
    }

    Runtime runtime() {
        return leases.runtime();
    }
}
