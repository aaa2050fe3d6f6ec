package dev.holdfast.fleet.internal.units;

import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CompletionStage;

/**
 * The access of one worker to its fleet.
 *
 * @param worker the name of the worker
 */
public record WorkerClient(Leases leases, FleetKeyLayout layout, String worker, FleetOptions options) {
    public WorkerClient {
        FleetKeyLayout.worker(worker);
    }

    public AsyncLeases async() {
        return leases.async();
    }

    /** Deletes an entry that no client holds, and returns whether it is gone. */
    public CompletionStage<Boolean> deleteUnlessHeld(Key key) {
        return async().delete(key, null).thenApply(result -> !(result instanceof AcquireResult.HeldByAnother));
    }

    public HostEnvironment runtime() {
        return LeaseService.of(leases).environment();
    }

    public long nanos() {
        return runtime().nanos();
    }
}
