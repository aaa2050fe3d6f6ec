package dev.holdfast.fleet;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The orders of operators that the planner of a fleet follows, as stored. They survive every process.
 *
 * @param freeze present while the fleet is frozen
 * @param paused the paused units, by name
 * @param drained the drained workers, by name; a worker of that name need not be alive
 * @param moves the units that were moved to a worker and stay there, by name
 */
public record ControlState(
        Optional<ControlNote> freeze,
        Map<String, ControlNote> paused,
        Map<String, ControlNote> drained,
        Map<String, UnitMove> moves) {
    /** No orders. */
    public static final ControlState NONE = new ControlState(Optional.empty(), Map.of(), Map.of(), Map.of());

    public ControlState {
        paused = Map.copyOf(paused);
        drained = Map.copyOf(drained);
        moves = Map.copyOf(moves);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /**
     * The origin of an order.
     *
     * @param reason empty if none was given
     * @param by the client that gave the order. A server that authenticates its callers puts the name of the caller
     *     first.
     * @param at when the order was given, by the clock of the process that wrote it
     */
    public record ControlNote(String reason, String by, Instant at) {}

    /**
     * The order to move a unit.
     *
     * @param worker the worker that the unit goes to
     */
    public record UnitMove(String worker, ControlNote note) {}
}
