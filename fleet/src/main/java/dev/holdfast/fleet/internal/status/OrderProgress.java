package dev.holdfast.fleet.internal.status;

import dev.holdfast.AsyncLeases;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetControl.DrainProgress;
import dev.holdfast.fleet.internal.control.ControlKeys;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.reports.AssignmentPart;
import dev.holdfast.fleet.internal.reports.PlannerReport;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;

/** The reader of how far orders were followed. It reads by key only, however many units and workers there are. */
public record OrderProgress(AsyncLeases leases, FleetKeyLayout layout) {
    /** Reads the progress of a drain. */
    public CompletionStage<DrainProgress> drain(String worker) {
        return isNoticed()
                .thenCompose(noticed -> leases.get(layout.assignment(worker, 0))
                        .thenCompose(sheet -> leases.get(layout.anchor(worker))
                                .thenApply(anchor -> progress(noticed, sheet, anchor))));
    }

    /** Returns the paused units that a worker holds, or may still get because the planner has not noticed the pause. */
    public CompletionStage<Set<String>> notStopped(Collection<String> units) {
        Set<String> left = new ConcurrentSkipListSet<>();
        return isNoticed()
                .thenCompose(noticed -> ConcurrentCalls.over(
                                units,
                                unit -> leases.get(layout.unit(unit)).thenAccept(found -> {
                                    if (!noticed
                                            || found.filter(LeaseStatus::isHeld).isPresent()) {
                                        left.add(unit);
                                    }
                                }))
                        .thenApply(nothing -> left));
    }

    /** Returns whether the planner follows the newest orders, or there is no planner that could assign anything. */
    private CompletionStage<Boolean> isNoticed() {
        return leases.get(new ControlKeys(layout.fleet()).mark())
                .thenCompose(mark -> leases.get(layout.planner())
                        .thenApply(planner -> planner.filter(LeaseStatus::isHeld)
                                .map(lease -> PlannerReport.of(lease.attributes()))
                                .map(report -> report.details().orders()
                                        >= mark.map(lease -> lease.fence().value())
                                                .orElse(0L))
                                .orElse(true)));
    }

    /**
     * The anchor was read last. So a worker that follows the assignment, and reports that it has no units, has none that
     * an earlier assignment gave it.
     */
    private static DrainProgress progress(boolean noticed, Optional<LeaseStatus> sheet, Optional<LeaseStatus> anchor) {
        if (anchor.filter(LeaseStatus::isHeld).isEmpty()) {
            return new DrainProgress(false, 0, true);
        }
        WorkerReport report = WorkerReport.of(anchor.get().attributes());
        AssignmentPart first =
                sheet.map(found -> AssignmentPart.of(found.attributes())).orElse(AssignmentPart.NONE);
        long left = Math.max(first.units().size(), (long) report.held() + report.waiting());
        boolean isFollowed = report.applied().compareTo(first.revision()) >= 0;
        return new DrainProgress(true, left, left == 0 && noticed && isFollowed);
    }
}
