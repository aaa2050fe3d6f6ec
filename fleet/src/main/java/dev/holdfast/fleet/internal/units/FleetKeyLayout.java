package dev.holdfast.fleet.internal.units;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.support.ArgumentCheck;
import java.util.Optional;

/**
 * The layout of a fleet in the store: the keys of its units, its plan, and the anchors of its workers.
 *
 * @param units the namespace of the units
 * @param planned whether the fleet has a planner, and so hidden attributes on its units
 */
public record FleetKeyLayout(String fleet, String units, boolean planned) {
    /** Together with a slash and the longest worker name, this fits the name of a holder. */
    private static final int FLEET_BYTES = 96;

    private static final String PREFIX = "fleet/";
    private static final String UNITS = "/units";

    private static final int WORKER_BYTES = 159;

    public FleetKeyLayout {
        ArgumentCheck.nonEmptyText("fleet", fleet, FLEET_BYTES);
        if (fleet.indexOf('/') >= 0) {
            throw ArgumentCheck.bad("fleet", fleet, "no slash");
        }
    }

    /** Returns the layout of a fleet with a planner. */
    public static FleetKeyLayout of(String fleet) {
        return new FleetKeyLayout(fleet, PREFIX + fleet + UNITS, true);
    }

    /** Returns the layout of the fleet that has its units in {@code namespace}; empty if no fleet with a planner does. */
    public static Optional<FleetKeyLayout> ofUnits(String namespace) {
        boolean matches = namespace.startsWith(PREFIX) && namespace.endsWith(UNITS);
        int end = namespace.length() - UNITS.length();
        String fleet = matches && end > PREFIX.length() ? namespace.substring(PREFIX.length(), end) : "";
        return fleet.isEmpty() || fleet.indexOf('/') >= 0 ? Optional.empty() : Optional.of(of(fleet));
    }

    /** Returns the layout of a fleet without a planner: every key of the namespace is a unit. */
    public static FleetKeyLayout withoutPlanner(String fleet, String namespace) {
        return new FleetKeyLayout(fleet, namespace, false);
    }

    public static String worker(String name) {
        return ArgumentCheck.nonEmptyText("worker", name, WORKER_BYTES);
    }

    public Key unit(String name) {
        return Key.of(units, name);
    }

    /** Selects the keys that may be units: see {@link #isUnit}. */
    public LeaseFilter unitFilter() {
        return LeaseFilter.namespacePrefix(units);
    }

    /**
     * Returns whether a key is a unit. With a planner, units are marked. Without one, every key except deleted ones is
     * a unit. A deleted key keeps only its fence. A key that another tool created and that was never held has no fence.
     */
    public boolean isUnit(LeaseStatus status) {
        if (!status.key().namespace().equals(units)) {
            return false;
        }
        if (planned) {
            return status.attributes().get(UnitAttributes.UNIT).isPresent();
        }
        boolean deleted = status.entry().grants() == 0
                && status.entry().grant() == null
                && status.fence().isAbove(Fence.NONE);
        return !deleted;
    }

    /** The planner's lease. */
    public Key planner() {
        return Key.of("fleet/" + fleet, "planner");
    }

    /**
     * Held while a client changes the set of units, so that the planner detects that it changed or is about to change.
     */
    public Key unitsMark() {
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

    /** Selects the parts of all assignments. */
    public LeaseFilter assignments() {
        return LeaseFilter.namespacePrefix("fleet/" + fleet + "/assigned");
    }

    /** Returns which part of an assignment a key is; -1 if it is none. */
    public int assignmentPart(Key key) {
        String first = assignment(key.name(), 0).namespace();
        if (key.namespace().equals(first)) {
            return 0;
        }
        String rest = key.namespace().startsWith(first + "/") ? key.namespace().substring(first.length() + 1) : "";
        return rest.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(rest) : -1;
    }

    /** Selects the anchors of the live workers. */
    public LeaseFilter liveAnchors() {
        return LeaseFilter.namespacePrefix(Key.anchorsOf(fleet)).state(LeaseState.HELD);
    }

    /** The holder name of a worker's anchor. */
    public String anchorHolder(String worker) {
        return fleet + "/" + worker;
    }

    public Key anchor(String worker) {
        return Key.ofAnchor(Holder.of(anchorHolder(worker)));
    }
}
