package dev.holdfast.fleet;

import dev.holdfast.Holder;
import dev.holdfast.Leases;
import dev.holdfast.fleet.internal.control.ControlEditor;
import dev.holdfast.fleet.internal.control.ControlReader;
import dev.holdfast.fleet.internal.status.OrderProgress;
import dev.holdfast.fleet.internal.status.OutlookReader;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The orders of operators to a fleet: pause, drain, freeze and move. Any process may give them, whether or not it is a
 * worker. They are stored, and the planner follows them. The name of the client, the time and a reason are kept with
 * each.
 *
 * <p>If orders contradict each other, the first of this list wins:
 * <ol>
 * <li>A paused unit has no worker.
 * <li>Units of dead and of leaving workers go to others.
 * <li>In a frozen fleet, all other units stay where they are: no balancing, no drains, no moves.
 * <li>A drained worker gets no units. It keeps its own until another worker can take them.
 * <li>A moved unit stays with its new worker.
 * <li>The strategy places the rest.
 * </ol>
 *
 * <p>The lease of a unit decides which worker works on it, as always. An order only changes the plan.
 *
 * <p>Orders are rejected with {@link OldWorkersException} while a worker of an older version is joined. Orders can
 * always be revoked. Thread-safe. Each blocking method has an asynchronous form.
 */
public final class FleetControl {
    private final Leases leases;
    private final FleetKeyLayout layout;
    private final ControlEditor editor;

    FleetControl(Leases leases, FleetKeyLayout layout) {
        if (!layout.planned()) {
            throw new UnsupportedOperationException("fleet " + layout.fleet()
                    + " runs without a planner: its units cannot be paused, drained, frozen or"
                    + " moved, because each of its workers takes units by itself");
        }
        this.leases = leases;
        this.layout = layout;
        this.editor = new ControlEditor(leases.async(), layout);
    }

    private FleetControl(FleetControl other, String operator) {
        this.leases = other.leases;
        this.layout = other.layout;
        this.editor = new ControlEditor(leases.async(), layout, operator);
    }

    /** Returns the same orders, given under the name of an operator instead of the name of this client. */
    public FleetControl onBehalfOf(String operator) {
        return new FleetControl(this, Holder.of(operator).name());
    }

    /**
     * Pauses units. Their workers stop them as in any hand-over, and no worker gets them until they are resumed.
     *
     * @param reason shown to operators; may be empty
     * @return the units that were not paused before
     * @throws IllegalArgumentException if one of the units does not exist; then none is paused
     */
    public Set<String> pause(Collection<String> units, String reason) {
        return WorkerClient.await(leases, () -> pauseAsync(units, reason));
    }

    /** @see #pause */
    public CompletionStage<Set<String>> pauseAsync(Collection<String> units, String reason) {
        return editor.pause(units, reason);
    }

    /** Returns the units of these that have not stopped after a pause. It is empty once no worker can begin them. */
    public Set<String> notStopped(Collection<String> units) {
        return WorkerClient.await(leases, () -> notStoppedAsync(units));
    }

    /** @see #notStopped */
    public CompletionStage<Set<String>> notStoppedAsync(Collection<String> units) {
        return new OrderProgress(leases.async(), layout).notStopped(units);
    }

    /**
     * Ends the pause of units.
     *
     * @return the units that were paused
     */
    public Set<String> resume(Collection<String> units, String reason) {
        return WorkerClient.await(leases, () -> resumeAsync(units, reason));
    }

    /** @see #resume */
    public CompletionStage<Set<String>> resumeAsync(Collection<String> units, String reason) {
        return editor.resume(units, reason);
    }

    /**
     * Drains a worker: it gets no more units, and its units move to others, a few at a time. A unit that no other worker
     * can take stays. The drain applies to the name, so it outlives a restart of the worker.
     *
     * @return false if it was drained before
     */
    public boolean drain(String worker, String reason) {
        return WorkerClient.await(leases, () -> drainAsync(worker, reason));
    }

    /** @see #drain */
    public CompletionStage<Boolean> drainAsync(String worker, String reason) {
        return editor.drain(worker, reason);
    }

    /**
     * Ends the drain of a worker.
     *
     * @return false if it was not drained
     */
    public boolean undrain(String worker, String reason) {
        return WorkerClient.await(leases, () -> undrainAsync(worker, reason));
    }

    /** @see #undrain */
    public CompletionStage<Boolean> undrainAsync(String worker, String reason) {
        return editor.undrain(worker, reason);
    }

    /** Reads how far the drain of a worker has come. */
    public DrainProgress drainProgress(String worker) {
        return WorkerClient.await(leases, () -> drainProgressAsync(worker));
    }

    /** @see #drainProgress */
    public CompletionStage<DrainProgress> drainProgressAsync(String worker) {
        return new OrderProgress(leases.async(), layout).drain(worker);
    }

    /**
     * The progress of a drain.
     *
     * @param joined whether a worker of this name is alive
     * @param left the units that are assigned to it, or that it has not released yet
     * @param empty whether the planner has noticed the drain, and the worker has no units
     */
    public record DrainProgress(boolean joined, long left, boolean empty) {}

    /**
     * Freezes the fleet: no unit of a live worker moves. Units of dead and of leaving workers, and new ones, are assigned
     * as usual.
     *
     * @return false if it was frozen before
     */
    public boolean freeze(String reason) {
        return WorkerClient.await(leases, () -> freezeAsync(reason));
    }

    /** @see #freeze */
    public CompletionStage<Boolean> freezeAsync(String reason) {
        return editor.freeze(reason);
    }

    /**
     * Ends the freeze.
     *
     * @return false if the fleet was not frozen
     */
    public boolean thaw(String reason) {
        return WorkerClient.await(leases, () -> thawAsync(reason));
    }

    /** @see #thaw */
    public CompletionStage<Boolean> thawAsync(String reason) {
        return editor.thaw(reason);
    }

    /**
     * Moves a unit to a worker. It stays there, and others move if balance requires it. The order ends when the worker
     * leaves, dies or is drained, when the unit fails there or is done, or with {@link #cancelMove}.
     *
     * @return false if this order was given before
     * @throws IllegalArgumentException if there is no such unit, or no such live worker, or the worker is drained
     */
    public boolean move(String unit, String worker, String reason) {
        return WorkerClient.await(leases, () -> moveAsync(unit, worker, reason));
    }

    /** @see #move */
    public CompletionStage<Boolean> moveAsync(String unit, String worker, String reason) {
        return editor.move(unit, worker, reason);
    }

    /**
     * Revokes a move, so that the strategy places the unit again.
     *
     * @return false if there was no such order
     */
    public boolean cancelMove(String unit, String reason) {
        return WorkerClient.await(leases, () -> cancelMoveAsync(unit, reason));
    }

    /** @see #cancelMove */
    public CompletionStage<Boolean> cancelMoveAsync(String unit, String reason) {
        return editor.cancelMove(unit, reason);
    }

    /** Reads the orders in force. */
    public ControlState state() {
        return WorkerClient.await(leases, this::stateAsync);
    }

    /** @see #state */
    public CompletionStage<ControlState> stateAsync() {
        return new ControlReader(leases.async(), layout).read();
    }

    /** Reads the planner's view of a unit: the worker that has it or should have it, or why there is none. */
    public UnitOutlook outlook(String unit) {
        return WorkerClient.await(leases, () -> outlookAsync(unit));
    }

    /** @see #outlook */
    public CompletionStage<UnitOutlook> outlookAsync(String unit) {
        return new OutlookReader(leases.async(), layout).read(unit);
    }
}
