package dev.holdfast.fleet.internal.planner;

import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.PagedListing;
import dev.holdfast.fleet.internal.worker.UnitSlotServices;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.internal.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, once, when a worker has joined a fleet for which no units were created: a misspelt name would else look like a fleet
 * that has nothing to do. Creating units may as well come later, so it is no failure.
 */
public final class EmptyFleetCheck {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;

    public EmptyFleetCheck(WorkerSetup workerSetup, UnitSlotServices unitSlotServices) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
    }

    /** Costs one read where units were created not long ago, as that leaves a mark; else the units are listed. */
    public void look() {
        CompletionStage<Boolean> looking = ContainedCall.of(
                () -> workerSetup.async().get(workerSetup.names().mark()).thenCompose(this::isEmpty));
        // If it fails then so do the polls, and they report it.
        Futures.whenDone(looking, (empty, error) -> {
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
        unitSlotServices.tell(() -> workerSetup.listener().onNoUnits(fleet));
    }
}
