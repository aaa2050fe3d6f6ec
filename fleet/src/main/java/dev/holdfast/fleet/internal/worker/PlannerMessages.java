package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a worker with one anchor to the planner: its report, and the notice that it has joined.
 *
 * <p>The report is written to the worker's anchor when it has changed, one write at a time.
 *
 * <p>The notice is a grant of the fleet's workers' mark, which is released at once. If another worker holds the mark,
 * planners will list the workers anyway. So thousands of workers that join at once need not wait for each other. But
 * the holder may be dead, and planners may know that before this worker does. So the notice is repeated at every poll
 * until the mark was granted, or a planner has written an assignment for this worker.
 *
 * <p>Confined to the worker's {@link WorkerStepLoop}.
 */
final class PlannerMessages {
    /** Short: while a dead worker holds the mark, planners list the workers at every refresh. */
    private static final Duration NOTICE_TERM = Duration.ofSeconds(1);

    private final WorkerClient client;
    private final WorkerStepLoop stepLoop;
    private final Anchor anchor;
    private @Nullable WorkerReport written;
    private boolean writing;
    private boolean sending;
    private NoticeAnswer answer = NoticeAnswer.NONE;

    /** The answer to the last notice. */
    private enum NoticeAnswer {
        NONE,
        HELD_BY_ANOTHER,
        GRANTED
    }

    PlannerMessages(WorkerClient client, WorkerStepLoop stepLoop, Anchor anchor) {
        this.client = client;
        this.stepLoop = stepLoop;
        this.anchor = anchor;
    }

    /** @param then called when the report is written */
    void report(WorkerReport report, Runnable then) {
        if (writing || report.equals(written)) {
            return;
        }
        writing = true;
        stepLoop.call(() -> anchor.updateAsync(report.toPatch()), (nothing, error) -> {
            writing = false;
            if (error == null) {
                written = report;
                then.run();
            } else {
                stepLoop.reportTrouble("reporting", error);
            }
        });
    }

    /** @param planned whether a live planner has written an assignment for this worker */
    void sendNoticeIfDue(boolean planned) {
        if (sending || answer == NoticeAnswer.GRANTED || (answer == NoticeAnswer.HELD_BY_ANOTHER && planned)) {
            return;
        }
        sending = true;
        AcquireOptions options =
                AcquireOptions.defaults().term(NOTICE_TERM).autoRenew(false).holder(client.worker());
        stepLoop.call(() -> client.async().tryAcquire(client.layout().workersMark(), options), this::noticeSent);
    }

    private void noticeSent(@Nullable AcquireResult result, @Nullable Throwable error) {
        sending = false;
        if (result == null) {
            stepLoop.reportTrouble("sending the join notice", error);
            return;
        }
        // If the release fails, the term ends soon.
        result.granted().ifPresent(lease -> stepLoop.call(lease::releaseAsync, (released, trouble) -> {}));
        answer = result.isGranted() ? NoticeAnswer.GRANTED : NoticeAnswer.HELD_BY_ANOTHER;
    }
}
