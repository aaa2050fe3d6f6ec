package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Fence;

/**
 * A worker as the planner sees it.
 *
 * @param givesNotice false if it is of a version that joins without a {@link JoinNotice}
 */
record Member(String name, Fence fence, Report report, boolean givesNotice) {
    static Member of(LeaseStatus anchor) {
        return new Member(
                anchor.key().name(),
                anchor.fence(),
                Report.of(anchor.attributes()),
                Report.isOfOneThatGivesNotice(anchor.attributes()));
    }

    boolean isSameGrantAs(Member other) {
        return fence.equals(other.fence) && report.leaving() == other.report.leaving();
    }
}
