package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The acquirer of units under a worker's anchor, with a limited number of requests in flight. Confined to the worker's
 * {@link SerialExecutor}.
 */
final class UnitAcquirer {
    /** Far below the limits of a client's queues, and more than any store takes at once. */
    private static final int IN_FLIGHT_MAX = 1000;

    /** A wait for a unit is repeated after this time, so that no wait is unbounded. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private final Consumer<String> ready;
    private final Set<String> queued = new LinkedHashSet<>();
    private int inFlight;

    /** @param ready called with the next unit that may be acquired */
    UnitAcquirer(WorkerSetup workerSetup, UnitSlotServices unitSlotServices, Consumer<String> ready) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
        this.ready = ready;
    }

    /** Returns whether there is room for one more request. If not, {@code ready} is called when there is. */
    boolean mayAcquire(String unit) {
        if (inFlight < IN_FLIGHT_MAX) {
            return true;
        }
        queued.add(unit);
        return false;
    }

    CompletionStage<AcquireResult> acquire(String unit, Anchor anchor) {
        AcquireOptions options = AcquireOptions.defaults().under(anchor).holder(workerSetup.worker());
        inFlight++;
        CompletableFuture<AcquireResult> request = ContainedCall.of(
                () -> workerSetup.async().acquire(workerSetup.names().unit(unit), options, WAIT_MAX));
        Futures.whenDone(request, (result, error) -> unitSlotServices.run(this::completed));
        return request;
    }

    private void completed() {
        inFlight--;
        Iterator<String> waiting = queued.iterator();
        if (waiting.hasNext()) {
            String next = waiting.next();
            waiting.remove();
            ready.accept(next);
        }
    }
}
