package dev.holdfast.fleet.internal;

import dev.holdfast.internal.Check;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;

/**
 * Where a fleet keeps what: its units, its plan, and the anchors of its workers.
 *
 * @param units the namespace of the units
 */
public record Names(String fleet, String units) {
    /** With the longest worker's, and a slash, it is a holder's name. */
    private static final int FLEET_BYTES = 96;

    private static final int WORKER_BYTES = 159;

    public Names {
        Check.nonEmptyText("fleet", fleet, FLEET_BYTES);
        if (fleet.indexOf('/') >= 0) {
            throw Check.bad("fleet", fleet, "no slash");
        }
    }

    public static Names of(String fleet) {
        return new Names(fleet, "fleet/" + fleet + "/units");
    }

    static String worker(String name) {
        return Check.nonEmptyText("worker", name, WORKER_BYTES);
    }

    Key unit(String name) {
        return Key.of(units(), name);
    }

    /** The lease of whoever plans. */
    Key planner() {
        return Key.of("fleet/" + fleet, "planner");
    }

    /** Held by whoever changes the set of units, so that the planner sees that it changed, or is about to. */
    Key mark() {
        return Key.of("fleet/" + fleet, "units");
    }

    /** Granted to each worker that joins, for a moment, so that the planner sees that there are more. */
    Key workersMark() {
        return Key.of("fleet/" + fleet, "workers");
    }

    /** The units of a worker; the first part says which others there are. */
    Key assignment(String worker, int part) {
        String namespace = "fleet/" + fleet + "/assigned";
        return Key.of(part == 0 ? namespace : namespace + "/" + part, worker);
    }

    String anchors() {
        return Key.anchorsOf(fleet);
    }

    /** Who a worker is, as the holder of its anchor. */
    String anchorHolder(String worker) {
        return fleet + "/" + worker;
    }

    Key anchor(String worker) {
        return Key.ofAnchor(Holder.of(anchorHolder(worker)));
    }
}
