package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Anchor;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.support.Futures;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a worker's report. It writes to the worker's anchor when the report has changed, one write at a time.
 * Confined to the worker's {@link SerialExecutor}.
 */
final class ReportWriter {
    private final UnitSlotServices unitSlotServices;
    private @Nullable WorkerReport written;
    private boolean writing;

    ReportWriter(UnitSlotServices unitSlotServices) {
        this.unitSlotServices = unitSlotServices;
    }

    /** Forgets the last report, because a new anchor has none yet. */
    void reset() {
        written = null;
    }

    /** @param then called when the report is written */
    void write(Anchor anchor, Runnable then, WorkerReport workerReport) {
        if (writing || workerReport.equals(written)) {
            return;
        }
        writing = true;
        Futures.whenDone(
                anchor.updateAsync(workerReport.toPatch()),
                (nothing, error) -> unitSlotServices.run(() -> {
                    writing = false;
                    if (error == null) {
                        written = workerReport;
                        then.run();
                    } else {
                        unitSlotServices.reportTrouble("reporting", Futures.cause(error));
                    }
                }));
    }
}
