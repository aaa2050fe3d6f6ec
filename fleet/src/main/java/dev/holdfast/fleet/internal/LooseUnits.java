package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Fence;

/** What counts as a unit where no planner marks them: every key but those that were deleted. */
final class LooseUnits {
    private LooseUnits() {}

    /** All that a deleted key keeps is its fence; one that was put there by others and never held has none. */
    static boolean isDeleted(LeaseStatus status) {
        return status.entry().grants() == 0
                && status.entry().grant() == null
                && status.fence().isAbove(Fence.NONE);
    }
}
