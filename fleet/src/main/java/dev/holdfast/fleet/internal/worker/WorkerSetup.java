package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.internal.callback.UnitCalls;
import dev.holdfast.fleet.internal.callback.WorkerThreads;
import dev.holdfast.fleet.internal.units.FleetNames;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;

/**
 * The configuration and collaborators of a worker.
 *
 * @param capacity the maximum number of units that it takes
 * @param inside marks the threads that run the worker's steps and callbacks
 */
public record WorkerSetup(
        Leases leases,
        FleetNames names,
        String worker,
        int capacity,
        FleetOptions options,
        UnitCalls calls,
        WorkerThreads inside,
        FleetListener listener,
        AssignmentStrategy strategy) {
    public WorkerSetup {
        FleetNames.worker(worker);
    }

    public AsyncLeases async() {
        return leases.async();
    }

    public HostEnvironment runtime() {
        return LeaseService.of(leases).environment();
    }
}
