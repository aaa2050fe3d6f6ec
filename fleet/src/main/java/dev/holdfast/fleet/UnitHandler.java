package dev.holdfast.fleet;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The non-blocking counterpart of the callbacks. No method may block, not even {@code assigned}: the whole worker would
 * wait for it. Blocking code belongs in {@link FleetBuilder#onAssigned} and {@link FleetBuilder#onRevoked}.
 *
 * <p>Calls for one unit never overlap: each begins after the stage of the previous one has completed. This also holds
 * if the unit was lost and assigned again in between. A method that throws or returns null is treated like a stage that
 * fails.
 */
public interface UnitHandler {
    /**
     * Starts the work on {@code unit}. The stage completes when the work has started, not when it is finished. If the
     * stage fails, the unit is released and retried on another worker. If it takes longer than {@link
     * FleetOptions#startDeadline}, the worker is unhealthy.
     */
    CompletionStage<?> assigned(Unit unit);

    /**
     * Stops the work. The unit is handed over when the stage completes, normally or not, or when the revoke deadline
     * has passed since this call.
     */
    CompletionStage<?> revoked(Unit unit);

    /**
     * Stops all these units, which the worker must stop in one step. The step is a new plan, a close, or the loss of
     * its place in the fleet. Override this method to commit the progress of all of them at once. By default it calls
     * {@link #revoked} for each.
     *
     * @param units at least one unit. A unit whose {@code assigned} has not completed yet is passed later, by itself.
     * @return one stage per unit, in the same order. A unit is handed over when its stage completes. Return the same
     *     stage for all units to hand them over together.
     */
    default List<? extends CompletionStage<?>> revokedTogether(List<Unit> units) {
        return units.stream().map(this::revokedAlone).toList();
    }

    private CompletionStage<?> revokedAlone(Unit unit) {
        try {
            return revoked(unit);
        } catch (Throwable e) {
            // A unit that fails must not prevent the others from being stopped.
            return CompletableFuture.failedFuture(e);
        }
    }
}
