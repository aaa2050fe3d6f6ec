package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Fence;
import dev.holdfast.LeaseStatus;

/** The definition of a unit in a fleet without a planner: every key except deleted ones. */
public final class UnplannedUnits {
    private UnplannedUnits() {}

    /** A deleted key keeps only its fence. A key that another tool created and that was never held has no fence. */
    public static boolean isDeleted(LeaseStatus status) {
        return status.entry().grants() == 0
                && status.entry().grant() == null
                && status.fence().isAbove(Fence.NONE);
    }
}
