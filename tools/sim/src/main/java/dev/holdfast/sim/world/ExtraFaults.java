package dev.holdfast.sim.world;

/**
 * Faults that only some scenarios have. They are drawn from {@link SimWorld#extra}, so that they do not change the runs
 * of other scenarios.
 *
 * @param notifications whether the store notifies; if so, notifications are lost, delayed and duplicated
 * @param rowTrouble the probability that one row of a batch fails by itself
 * @param sendPause the probability that a process is paused between its decision and the send
 */
public record ExtraFaults(boolean notifications, double rowTrouble, double sendPause) {
    public static final ExtraFaults NONE = new ExtraFaults(false, 0, 0);

    /** The store rejects every change with this attribute. */
    public static final String POISON = "poison";

    ExtraFaults healed() {
        return new ExtraFaults(notifications, 0, 0);
    }
}
