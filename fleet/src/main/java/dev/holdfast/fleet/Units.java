package dev.holdfast.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Leases;
import dev.holdfast.fleet.internal.control.ControlEditor;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.units.UnitSetEditor;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The units of a fleet. Any process may change them, whether or not it is a worker and whether or not a planner is
 * running.
 *
 * <p>The planner reads these attributes of a unit:
 * <ul>
 * <li>{@code weight} is a number, used by {@link AssignmentStrategy#byWeight}.
 * <li>{@code after} is a list of unit names: the unit is assigned only when all of them are done or deleted. The named
 *     units must exist when the unit is created. An unknown name is rejected, because it would not make the unit wait.
 * <li>{@code require} is a map from {@linkplain FleetBuilder#label labels} to a value, or a list of accepted values. Only a
 *     worker with all of these labels gets the unit. It is rejected with {@link OldWorkersException} while a worker of
 *     an older version is joined, because that worker would ignore it.
 * <li>{@code prefer} is a map of the same form. Such workers are preferred as far as balance allows.
 * <li>{@code group} is a text, used by {@link AssignmentStrategy#spreadOver}.
 * </ul>
 *
 * <p>Thread-safe. Each blocking method has an asynchronous form.
 */
public final class Units {
    private final Leases leases;
    private final FleetKeyLayout layout;
    private final UnitSetEditor edits;

    Units(Leases leases, FleetKeyLayout layout) {
        this.leases = leases;
        this.layout = layout;
        this.edits = new UnitSetEditor(leases.async(), layout);
    }

    /**
     * Creates the units that do not exist yet.
     *
     * @return how many were created
     */
    public int create(String... units) {
        return create(List.of(units), Attributes.NONE);
    }

    /**
     * Creates the units that do not exist yet, with attributes. Existing units keep their attributes.
     *
     * @return how many were created
     * @throws IllegalArgumentException if {@code after} names a unit that does not exist, or one of {@code units}
     */
    public int create(Collection<String> units, Attributes attributes) {
        return WorkerClient.await(leases, () -> createAsync(units, attributes));
    }

    /** @see #create(Collection, Attributes) */
    public CompletionStage<Integer> createAsync(Collection<String> units, Attributes attributes) {
        return edits.create(units, attributes);
    }

    /**
     * Deletes a unit. If a worker has it, that worker is asked to stop first, and the unit is deleted when it has
     * stopped. If it is paused or was moved by an operator, this order is revoked.
     *
     * @return false if there was no such unit
     */
    public boolean delete(String unit) {
        return WorkerClient.await(leases, () -> deleteAsync(unit));
    }

    /** @see #delete */
    public CompletionStage<Boolean> deleteAsync(String unit) {
        // The orders go last: a unit must not be assigned between the end of its pause and its deletion.
        return edits.delete(unit)
                .thenCompose(deleted -> layout.planned()
                        ? new ControlEditor(leases.async(), layout)
                                .unitDeleted(unit)
                                .thenApply(nothing -> deleted)
                        : CompletableFuture.completedFuture(deleted));
    }

    /**
     * Changes the attributes of a unit without holding it. A worker that holds it uses {@link Unit#update}, which fails
     * if the unit was lost. This method does not.
     *
     * @return false if there is no such unit, or it is done
     */
    public boolean forceUpdate(String unit, AttributePatch patch) {
        return WorkerClient.await(leases, () -> forceUpdateAsync(unit, patch));
    }

    /** @see #forceUpdate */
    public CompletionStage<Boolean> forceUpdateAsync(String unit, AttributePatch patch) {
        return edits.forceUpdate(unit, patch);
    }

    /**
     * Makes a done unit available again.
     *
     * @return false if it was not done
     */
    public boolean reopen(String unit) {
        return WorkerClient.await(leases, () -> reopenAsync(unit));
    }

    /** @see #reopen */
    public CompletionStage<Boolean> reopenAsync(String unit) {
        return edits.reopen(unit);
    }

    /** Lists all units by name. Pages are read as the stream is consumed. */
    public Stream<UnitStatus> list() {
        return leases.list(layout.unitFilter()).filter(layout::isUnit).map(UnitAttributes::statusOf);
    }
}
