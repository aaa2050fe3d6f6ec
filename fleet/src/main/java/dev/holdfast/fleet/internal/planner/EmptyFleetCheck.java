package dev.holdfast.fleet.internal.planner;

import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.PagedListing;
import dev.holdfast.fleet.internal.worker.UnitSlotServices;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.support.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check that reports, once, that a worker has joined a fleet without any units. Otherwise a misspelt fleet name would
 * look like a fleet with nothing to do. It is not a failure, because the units may be created later.
 */
public final class EmptyFleetCheck {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;

    public EmptyFleetCheck(WorkerSetup workerSetup, UnitSlotServices unitSlotServices) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
    }

    /**
     * Runs the check. It costs one read if units were changed recently, because that leaves a mark. Otherwise it lists
     * the units.
     */
    public void check() {
        CompletionStage<Boolean> checking = ContainedCall.of(
                () -> workerSetup.async().get(workerSetup.names().mark()).thenCompose(this::isEmpty));
        // If this fails, the polls fail too, and they report it.
        Futures.whenDone(checking, (empty, error) -> {
            if (Boolean.TRUE.equals(empty)) {
                unitSlotServices.run(this::report);
            }
        });
    }

    private CompletionStage<Boolean> isEmpty(Optional<LeaseStatus> mark) {
        if (mark.isPresent()) {
            return CompletableFuture.completedFuture(false);
        }
        boolean[] any = new boolean[1];
        LeaseFilter units = LeaseFilter.namespacePrefix(workerSetup.names().units());
        return PagedListing.over(workerSetup.async(), units, status -> any[0] |= UnitInfo.isUnit(status))
                .thenApply(nothing -> !any[0]);
    }

    public void report() {
        String fleet = workerSetup.names().fleet();
        log.warn("fleet {} has no units yet, so {} has nothing to do: is the name right?", fleet, workerSetup.worker());
        unitSlotServices.notifyListener(() -> workerSetup.listener().onNoUnits(fleet));
    }
}
