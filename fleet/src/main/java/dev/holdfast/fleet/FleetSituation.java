package dev.holdfast.fleet;

/** What there is to be spread, and over whom; workers and units go by number. Immutable during a call. */
public interface FleetSituation {
    int workers();

    int units();

    /** The most units that {@code worker} takes; 0 for one that is leaving. */
    int capacity(int worker);

    /** More than zero; 1 unless the unit says otherwise. */
    double weight(int unit);

    /** Who has it now, or was last given it; {@link AssignmentStrategy#NOBODY} if that worker is gone. */
    int owner(int unit);

    /** False while a unit rests after it failed at this worker. */
    boolean mayHave(int worker, int unit);
}
