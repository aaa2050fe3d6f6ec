package dev.holdfast.fleet.internal.status;

import dev.holdfast.AsyncLeases;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetControl.DrainProgress;
import dev.holdfast.fleet.internal.control.ControlKeys;
import dev.holdfast.fleet.internal.planner.AssignmentPart;
import dev.holdfast.fleet.internal.planner.PlannerReport;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The reader of a drain's progress: four reads by key, however many units and workers there are. */
public record DrainReader(AsyncLeases leases, FleetKeyLayout layout) {
    public CompletionStage<DrainProgress> read(String worker) {
        return leases.get(new ControlKeys(layout.fleet()).mark())
                .thenCompose(mark -> leases.get(layout.planner())
                        .thenCompose(planner -> leases.get(layout.assignment(worker, 0))
                                .thenCompose(sheet -> leases.get(layout.anchor(worker))
                                        .thenApply(anchor -> progress(mark, planner, sheet, anchor)))));
    }

    /**
     * The anchor is read last. So a worker that follows the assignment, and reports that it has no units, has none that
     * an earlier assignment gave it.
     */
    private static DrainProgress progress(
            Optional<LeaseStatus> mark,
            Optional<LeaseStatus> planner,
            Optional<LeaseStatus> sheet,
            Optional<LeaseStatus> anchor) {
        if (anchor.filter(LeaseStatus::isHeld).isEmpty()) {
            return new DrainProgress(false, 0, true);
        }
        WorkerReport report = WorkerReport.of(anchor.get().attributes());
        AssignmentPart first =
                sheet.map(found -> AssignmentPart.of(found.attributes())).orElse(AssignmentPart.NONE);
        long assigned = first.units().size();
        long left = Math.max(assigned, (long) report.held() + report.waiting());
        boolean isNoticed = planner.filter(LeaseStatus::isHeld)
                .map(lease -> PlannerReport.of(lease.attributes()))
                .filter(found -> found.details().orders()
                        >= mark.map(lease -> lease.fence().value()).orElse(0L))
                .isPresent();
        boolean isFollowed = report.applied().compareTo(first.revision()) >= 0;
        return new DrainProgress(true, left, left == 0 && isNoticed && isFollowed);
    }
}
