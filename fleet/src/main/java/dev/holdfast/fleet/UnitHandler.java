package dev.holdfast.fleet;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a worker does with units, without blocking: no method may block, {@code assigned} included, as the whole worker would
 * wait for it. Code that blocks belongs into {@link FleetBuilder#onAssigned} and {@link FleetBuilder#onRevoked}.
 *
 * <p>For one unit, calls follow one another: each begins after the stage of the one before has ended, also when the unit was
 * lost and given back meanwhile. A method that throws anything, or returns null, is like a stage that fails.
 */
public interface UnitHandler {
    /**
     * Begin to work on {@code unit}. The stage ends when the work has begun, not when it is over. A stage that fails gives
     * the unit back; it is tried elsewhere. A stage that takes longer than {@link FleetOptions#startDeadline} makes the
     * worker unhealthy.
     */
    CompletionStage<?> assigned(Unit unit);

    /**
     * Stop. When the stage ends, however it ends, the unit is handed over; so it is when the revoke deadline has passed
     * since this call.
     */
    CompletionStage<?> revoked(Unit unit);

    /**
     * Stop with all of these units, which the worker is to stop in one step: by one new plan, because it is being closed,
     * or because it is losing its place in the fleet. Override it to commit the progress of all of them at once. By default
     * it calls {@link #revoked} for each.
     *
     * @param units at least one. A unit whose {@code assigned} has not ended yet comes later, by itself.
     * @return a stage for each unit, in their order: a unit is handed over when its stage ends. Return the same stage for
     *     all of them to hand them over together.
     */
    default List<? extends CompletionStage<?>> revokedTogether(List<Unit> units) {
        return units.stream().map(this::revokedAlone).toList();
    }

    private CompletionStage<?> revokedAlone(Unit unit) {
        try {
            return revoked(unit);
        } catch (Throwable e) {
            // One that fails must not keep the others from being stopped.
            return CompletableFuture.failedFuture(e);
        }
    }
}
