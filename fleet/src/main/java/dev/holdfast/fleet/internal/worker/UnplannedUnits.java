package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Fence;
import dev.holdfast.LeaseStatus;

/** What counts as a unit where no planner marks them: every key but those that were deleted. */
public final class UnplannedUnits {
    private UnplannedUnits() {}

    /** All that a deleted key keeps is its fence; one that was put there by others and never held has none. */
    public static boolean isDeleted(LeaseStatus status) {
        return status.entry().grants() == 0
                && status.entry().grant() == null
                && status.fence().isAbove(Fence.NONE);
    }
}
