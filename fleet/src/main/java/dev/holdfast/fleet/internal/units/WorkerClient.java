package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.BlockingCalls;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

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

    /** Makes a call of a client and waits for its result. */
    public static <T> T await(Leases leases, Supplier<? extends CompletionStage<T>> call) {
        return BlockingCalls.uninterruptibly(LeaseService.of(leases).environment(), call);
    }

    public HostEnvironment runtime() {
        return LeaseService.of(leases).environment();
    }

    public long nanos() {
        return runtime().nanos();
    }
}
