package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.internal.Futures;
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
    private static final int MOST = 1000;

    /** A wait for a unit is repeated after this time, so that no wait is unbounded. */
    private static final Duration ROUND = Duration.ofMinutes(1);

    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private final Consumer<String> ready;
    private final Set<String> heldUp = new LinkedHashSet<>();
    private int underWay;

    /** @param ready called with the next unit that may be acquired */
    UnitAcquirer(WorkerSetup workerSetup, UnitSlotServices unitSlotServices, Consumer<String> ready) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
        this.ready = ready;
    }

    /** Returns whether there is room for one more request. If not, {@code ready} is called when there is. */
    boolean mayAsk(String unit) {
        if (underWay < MOST) {
            return true;
        }
        heldUp.add(unit);
        return false;
    }

    CompletionStage<AcquireResult> ask(String unit, Anchor anchor) {
        AcquireOptions options = AcquireOptions.defaults().under(anchor).holder(workerSetup.worker());
        underWay++;
        CompletableFuture<AcquireResult> asked = ContainedCall.of(
                () -> workerSetup.async().acquire(workerSetup.names().unit(unit), options, ROUND));
        Futures.whenDone(asked, (result, error) -> unitSlotServices.run(this::answered));
        return asked;
    }

    private void answered() {
        underWay--;
        Iterator<String> waiting = heldUp.iterator();
        if (waiting.hasNext()) {
            String next = waiting.next();
            waiting.remove();
            ready.accept(next);
        }
    }
}
