package dev.holdfast.fleet.internal.status;

import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.units.WorkerClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check that reports, once, that a worker has joined a fleet without any units. Otherwise a misspelt fleet name would
 * look like a fleet with nothing to do. It is not a failure, because the units may be created later.
 */
public record EmptyFleetCheck(WorkerClient client, WorkerStepLoop stepLoop) {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    public void check() {
        // If this fails, the polls fail too, and they report it.
        stepLoop.call(new FleetStatusReader(client.leases(), client.layout())::isEmpty, (empty, error) -> {
            if (Boolean.TRUE.equals(empty)) {
                report();
            }
        });
    }

    public void report() {
        String fleet = client.layout().fleet();
        log.warn("fleet {} has no units yet, so {} has nothing to do: is the name right?", fleet, client.worker());
        stepLoop.notifyListener(listener -> listener.onNoUnits(fleet));
    }
}
