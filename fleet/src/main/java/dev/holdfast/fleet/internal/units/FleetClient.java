package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.store.HostEnvironment;

/**
 * The access of one worker to its fleet.
 *
 * @param worker the name of the worker
 */
public record FleetClient(Leases leases, FleetKeyLayout layout, String worker, FleetOptions options) {
    public FleetClient {
        FleetKeyLayout.worker(worker);
    }

    public AsyncLeases async() {
        return leases.async();
    }

    public HostEnvironment runtime() {
        return leases.runtime();
    }

    public long nanos() {
        return leases.runtime().nanos();
    }
}
