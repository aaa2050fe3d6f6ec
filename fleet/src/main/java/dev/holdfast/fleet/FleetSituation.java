package dev.holdfast.fleet;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * The input of an {@link AssignmentStrategy}: units, workers, and the current owners. Workers and units are identified
 * by number. Immutable during a call.
 */
public interface FleetSituation {
    int workers();

    int units();

    /** Returns the maximum number of units of {@code worker}; 0 if it is leaving. */
    int capacity(int worker);

    /** Returns a weight greater than zero; 1 unless set on the unit. */
    double weight(int unit);

    /**
     * Returns the worker that the unit is assigned to, or {@link AssignmentStrategy#UNASSIGNED} if it is unassigned or that
     * worker is gone.
     */
    int owner(int unit);

    /**
     * Returns false if the worker lacks a label that the unit {@linkplain #requires requires}, and while the unit is in its
     * back-off after a failure on this worker.
     */
    boolean mayHave(int worker, int unit);

    /** Returns the labels of {@code worker}. */
    default Map<String, String> labels(int worker) {
        return Map.of();
    }

    /**
     * Returns the load that {@code worker} reported last; empty if it reports none. Loads are up to a term old. A strategy
     * that calls this method is called again when loads change.
     */
    default OptionalDouble load(int worker) {
        return OptionalDouble.empty();
    }

    /** Returns the conditions that the worker of {@code unit} must meet. */
    default LabelConditions requires(int unit) {
        return LabelConditions.NONE;
    }

    /** Returns the conditions that the worker of {@code unit} should meet. */
    default LabelConditions prefers(int unit) {
        return LabelConditions.NONE;
    }

    /** Returns how many of the conditions that {@code unit} {@linkplain #prefers prefers} the worker meets. */
    default int preference(int worker, int unit) {
        return prefers(unit).countMetBy(labels(worker));
    }

    /** Returns the name of the group of {@code unit}: its units are spread together. Empty unless set on the unit. */
    default String group(int unit) {
        return "";
    }
}
