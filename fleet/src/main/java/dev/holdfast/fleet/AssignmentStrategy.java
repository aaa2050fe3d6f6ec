package dev.holdfast.fleet;

/**
 * Decides who shall have which unit. A pure function: the same situation gives the same answer, and nothing else is
 * looked at.
 *
 * <p>It should leave units where they are unless balance needs otherwise: every unit whose worker changes is stopped
 * there and started elsewhere. When moves are put off, or only some of them are made at a time, it is asked again with
 * what became of them.
 */
public interface AssignmentStrategy {
    /** Of a unit that no worker has, or may have. */
    int NOBODY = -1;

    /** For each unit, the number of its worker, or {@link #NOBODY}. */
    int[] assign(FleetSituation fleetSituation);

    /** The same number of units for each worker, to within one; moves as few as that takes. */
    static AssignmentStrategy byCount() {
        return new AssignByCount();
    }

    /**
     * The same weight for each worker: the heaviest and the lightest differ by no more than the lightest unit of the
     * heaviest worker.
     */
    static AssignmentStrategy byWeight() {
        return new AssignByWeight();
    }
}
