package dev.holdfast.fleet.internal.planner;

import dev.holdfast.Fence;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.worker.JoinNotice;

/**
 * A worker as the planner sees it.
 *
 * @param givesNotice false for a version that joins without a {@link JoinNotice}
 */
public record WorkerView(String name, Fence fence, WorkerReport report, boolean givesNotice) {
    public static WorkerView of(LeaseStatus anchor) {
        return new WorkerView(
                anchor.key().name(),
                anchor.fence(),
                WorkerReport.of(anchor.attributes()),
                WorkerReport.givesNotice(anchor.attributes()));
    }

    boolean isSameGrantAs(WorkerView other) {
        return fence.equals(other.fence) && report.leaving() == other.report.leaving();
    }
}
