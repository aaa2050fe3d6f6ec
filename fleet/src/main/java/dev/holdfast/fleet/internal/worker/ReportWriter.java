package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Anchor;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.internal.Futures;
import org.jspecify.annotations.Nullable;

/** Writes a worker's report onto its anchor, when it has changed, and one at a time. Confined to its {@link SerialExecutor}. */
final class ReportWriter {
    private final UnitSlotServices unitSlotServices;
    private @Nullable WorkerReport written;
    private boolean writing;

    ReportWriter(UnitSlotServices unitSlotServices) {
        this.unitSlotServices = unitSlotServices;
    }

    /** A new anchor says nothing as yet. */
    void reset() {
        written = null;
    }

    /** @param then called when it is written */
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
                        unitSlotServices.trouble("reporting", Futures.cause(error));
                    }
                }));
    }
}
