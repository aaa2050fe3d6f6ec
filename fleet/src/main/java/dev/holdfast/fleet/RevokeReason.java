package dev.holdfast.fleet;

/** Why a worker is to stop its work on a unit. */
public enum RevokeReason {
    /** Another worker is to have it, or the unit is to be deleted. */
    MOVED,
    /** This worker is being closed. */
    CLOSING,
    /** The worker has not been able to renew for so long that its term nears its end; the unit is still its own. */
    EXPIRING,
    /** It is lost: the term ran out, or somebody took it. What is written now, the resource must refuse by the fence. */
    LOST;

    /** Whether the unit was still this worker's when it was asked to stop, so that a checkpoint can be written. */
    public boolean isCooperative() {
        return this != LOST;
    }
}
