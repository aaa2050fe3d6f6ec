package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Fence;

/** A worker as the planner sees it. */
record Member(String name, Fence fence, Report report) {
    static Member of(LeaseStatus anchor) {
        return new Member(anchor.key().name(), anchor.fence(), Report.of(anchor.attributes()));
    }

    boolean isSameGrantAs(Member other) {
        return fence.equals(other.fence) && report.leaving() == other.report.leaving();
    }
}
