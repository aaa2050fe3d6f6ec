package dev.holdfast.fleet;

import java.util.concurrent.CompletionStage;

/**
 * What a worker does with units, without blocking. For one unit, calls follow one another: each begins after the stage of
 * the one before has ended, also when the unit was lost and given back meanwhile.
 */
public interface UnitHandler {
    /** Begin to work on {@code unit}. A stage that fails gives the unit back; it is tried elsewhere. */
    CompletionStage<?> assigned(Unit unit);

    /** Stop. When the stage ends, however it ends, the unit is handed over; so it is after the revoke deadline. */
    CompletionStage<?> revoked(Unit unit);
}
