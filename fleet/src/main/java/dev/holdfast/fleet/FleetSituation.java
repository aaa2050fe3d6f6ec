package dev.holdfast.fleet;

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

    /** Returns false while the unit is in its back-off after a failure on this worker. */
    boolean mayHave(int worker, int unit);
}
