package dev.holdfast.fleet.internal.units;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.support.ArgumentCheck;

/**
 * The keys and namespaces of a fleet: its units, its plan, and the anchors of its workers.
 *
 * @param units the namespace of the units
 */
public record FleetNames(String fleet, String units) {
    /** Together with a slash and the longest worker name, this fits the name of a holder. */
    private static final int FLEET_BYTES = 96;

    private static final int WORKER_BYTES = 159;

    public FleetNames {
        ArgumentCheck.nonEmptyText("fleet", fleet, FLEET_BYTES);
        if (fleet.indexOf('/') >= 0) {
            throw ArgumentCheck.bad("fleet", fleet, "no slash");
        }
    }

    public static FleetNames of(String fleet) {
        return new FleetNames(fleet, "fleet/" + fleet + "/units");
    }

    public static String worker(String name) {
        return ArgumentCheck.nonEmptyText("worker", name, WORKER_BYTES);
    }

    public Key unit(String name) {
        return Key.of(units(), name);
    }

    /** The planner's lease. */
    public Key planner() {
        return Key.of("fleet/" + fleet, "planner");
    }

    /**
     * Held while a client changes the set of units, so that the planner detects that it changed or is about to change.
     */
    public Key mark() {
        return Key.of("fleet/" + fleet, "units");
    }

    /** Granted briefly to each worker that joins, so that the planner detects new workers. */
    public Key workersMark() {
        return Key.of("fleet/" + fleet, "workers");
    }

    /** A part of the units of a worker. The first part lists the others. */
    public Key assignment(String worker, int part) {
        String namespace = "fleet/" + fleet + "/assigned";
        return Key.of(part == 0 ? namespace : namespace + "/" + part, worker);
    }

    public String anchors() {
        return Key.anchorsOf(fleet);
    }

    /** The holder name of a worker's anchor. */
    public String anchorHolder(String worker) {
        return fleet + "/" + worker;
    }

    public Key anchor(String worker) {
        return Key.ofAnchor(Holder.of(anchorHolder(worker)));
    }
}
