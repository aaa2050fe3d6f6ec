package dev.holdfast.fleet;

/** The reason why a worker must stop its work on a unit. */
public enum RevokeReason {
    /** The unit was assigned to another worker, is paused, or is being deleted. */
    MOVED,
    /** This worker is being closed. */
    CLOSING,
    /** The worker could not renew, and its term is about to end. It still holds the unit. */
    EXPIRING,
    /**
     * The unit is lost: its term ran out, or another worker took it. The resource must reject further writes by the
     * fence.
     */
    LOST;

    /** Returns whether the worker still held the unit when it was asked to stop, so that it can write a checkpoint. */
    public boolean isCooperative() {
        return this != LOST;
    }
}
