package dev.holdfast.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.fleet.internal.units.FleetNames;
import dev.holdfast.fleet.internal.units.UnitEdits;
import dev.holdfast.fleet.internal.units.UnitView;
import dev.holdfast.internal.BlockingCalls;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The units of a fleet: what there is to do. Anybody may change them, worker or not, planner up or down.
 *
 * <p>Two attributes of a unit matter to the planner: {@code weight}, a number, for {@link AssignmentStrategy#byWeight}; and {@code
 * after}, a list of names: it is given to a worker only when those units are done, or deleted. They must be there when the
 * unit is created: a name that no unit has is refused, as it would keep nothing waiting.
 *
 * <p>Thread-safe. Each blocking method has a form that does not.
 */
public final class Units {
    private final Leases leases;
    private final FleetNames fleetNames;
    private final boolean planned;
    private final UnitEdits edits;

    Units(Leases leases, FleetNames fleetNames, boolean planned) {
        this.leases = leases;
        this.fleetNames = fleetNames;
        this.planned = planned;
        this.edits = new UnitEdits(leases.async(), fleetNames, planned);
    }

    /** Creates those of the units that are not there. */
    public int create(String... units) {
        return create(List.of(units), Attributes.NONE);
    }

    /**
     * Creates those of the units that are not there, with attributes; those that are there keep theirs.
     *
     * @return how many were created
     * @throws IllegalArgumentException if {@code after} names a unit that is not there, or one of {@code units}
     */
    public int create(Collection<String> units, Attributes attributes) {
        return BlockingCalls.uninterruptibly(leases.runtime(), () -> createAsync(units, attributes));
    }

    /** @see #create(Collection, Attributes) */
    public CompletionStage<Integer> createAsync(Collection<String> units, Attributes attributes) {
        return edits.create(units, attributes);
    }

    /**
     * Deletes a unit. If a worker has it, it is asked to stop first, and the unit is gone when it has.
     *
     * @return false if there was no such unit
     */
    public boolean delete(String unit) {
        return BlockingCalls.uninterruptibly(leases.runtime(), () -> deleteAsync(unit));
    }

    /** @see #delete */
    public CompletionStage<Boolean> deleteAsync(String unit) {
        return edits.delete(unit);
    }

    /**
     * Changes the attributes of a unit, whoever works on it. Whoever has it changes them by {@link Unit#update}, which
     * fails when it has it no more; this does not.
     *
     * @return false if there is no such unit, or it is done
     */
    public boolean forceUpdate(String unit, AttributePatch patch) {
        return BlockingCalls.uninterruptibly(leases.runtime(), () -> forceUpdateAsync(unit, patch));
    }

    /** @see #forceUpdate */
    public CompletionStage<Boolean> forceUpdateAsync(String unit, AttributePatch patch) {
        return edits.forceUpdate(unit, patch);
    }

    /**
     * Makes a done unit one to be worked on again.
     *
     * @return false if it was not done
     */
    public boolean reopen(String unit) {
        return BlockingCalls.uninterruptibly(leases.runtime(), () -> reopenAsync(unit));
    }

    /** @see #reopen */
    public CompletionStage<Boolean> reopenAsync(String unit) {
        return edits.reopen(unit);
    }

    /** All units, by name, read page by page as the stream is consumed. */
    public Stream<UnitStatus> list() {
        return leases.list(LeaseFilter.namespacePrefix(fleetNames.units()))
                .filter(this::isUnit)
                .map(UnitView::of);
    }

    private boolean isUnit(LeaseStatus status) {
        return status.key().namespace().equals(fleetNames.units()) && UnitView.isUnit(status, planned);
    }
}
