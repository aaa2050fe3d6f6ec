package dev.holdfast.sim.world;

/**
 * Faults that only some scenarios have. What they strike is drawn from {@link SimWorld#extra}, so that the other scenarios
 * play the same with and without them.
 *
 * @param notifications whether the store notifies; then notifications are lost, late and doubled
 * @param rowTrouble how likely one row of a batch fails by itself
 * @param sendPause how likely a process is paused between its decision and the send
 */
public record ExtraFaults(boolean notifications, double rowTrouble, double sendPause) {
    public static final ExtraFaults NONE = new ExtraFaults(false, 0, 0);

    /** A change with this attribute is one that the store never takes. */
    public static final String POISON = "poison";

    ExtraFaults healed() {
        return new ExtraFaults(notifications, 0, 0);
    }
}
