package dev.holdfast.fleet;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The status of a fleet with the place of each of its units, as read from the store. Parts of it were read at slightly different
 * times.
 *
 * @param units by name, in the order of names
 * @param assigned the worker that the plan gives each unit to
 */
public record FleetMap(FleetStatus status, Map<String, UnitPlace> units, Map<String, String> assigned) {
    public FleetMap {
        units = Collections.unmodifiableMap(new TreeMap<>(units));
        assigned = Map.copyOf(assigned);
    }

    /** The state of a unit on the map. */
    public enum PlaceState {
        HELD,
        /** Assigned to a worker that does not hold it yet. */
        ASSIGNED,
        PAUSED,
        /** It waits until other units are done. */
        WAITING,
        /** It failed, and rests before its next start. */
        RESTING,
        /** No worker can have it. */
        UNPLACED,
        DONE,
        /** Not planned yet, or there is no planner. */
        FREE
    }

    /**
     * The place of one unit.
     *
     * @param worker the worker that it is assigned to or held by; empty if there is none
     * @param heldBy the worker that holds it
     * @param grantedAt when that worker was granted it, by the clock of the granting process
     * @param restsUntil the end of its rest, by the planner's clock
     */
    public record UnitPlace(
            PlaceState state,
            Optional<String> worker,
            Optional<String> heldBy,
            Optional<Instant> grantedAt,
            Optional<Instant> restsUntil) {}
}
