package dev.holdfast.fleet.internal.units;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.internal.ArgumentCheck;

/**
 * Where a fleet keeps what: its units, its plan, and the anchors of its workers.
 *
 * @param units the namespace of the units
 */
public record FleetNames(String fleet, String units) {
    /** With the longest worker's, and a slash, it is a holder's name. */
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

    /** The lease of whoever plans. */
    public Key planner() {
        return Key.of("fleet/" + fleet, "planner");
    }

    /** Held by whoever changes the set of units, so that the planner sees that it changed, or is about to. */
    public Key mark() {
        return Key.of("fleet/" + fleet, "units");
    }

    /** Granted to each worker that joins, for a moment, so that the planner sees that there are more. */
    public Key workersMark() {
        return Key.of("fleet/" + fleet, "workers");
    }

    /** The units of a worker; the first part says which others there are. */
    public Key assignment(String worker, int part) {
        String namespace = "fleet/" + fleet + "/assigned";
        return Key.of(part == 0 ? namespace : namespace + "/" + part, worker);
    }

    public String anchors() {
        return Key.anchorsOf(fleet);
    }

    /** Who a worker is, as the holder of its anchor. */
    public String anchorHolder(String worker) {
        return fleet + "/" + worker;
    }

    public Key anchor(String worker) {
        return Key.ofAnchor(Holder.of(anchorHolder(worker)));
    }
}
