package dev.holdfast.fleet;

/**
 * The rule by which the planner assigns units to workers. It is a pure function: the same situation gives the same
 * result, and it uses no other input.
 *
 * <p>A strategy should leave units where they are unless balance requires a move. Every moved unit is stopped on one
 * worker and started on another. The planner may postpone moves, or make only some of them at a time. It then calls the
 * strategy again with the resulting situation.
 */
public interface AssignmentStrategy {
    /** Stands for no worker: the unit has none, or no worker may have it. */
    int UNASSIGNED = -1;

    /** Returns, for each unit, the number of its worker, or {@link #UNASSIGNED}. */
    int[] assign(FleetSituation fleetSituation);

    /** Gives each worker the same number of units, to within one, with as few moves as possible. */
    static AssignmentStrategy byCount() {
        return new AssignByCount();
    }

    /**
     * Gives each worker the same total weight. The heaviest and the lightest worker differ by at most the lightest unit
     * of the heaviest worker.
     */
    static AssignmentStrategy byWeight() {
        return new AssignByWeight();
    }
}
