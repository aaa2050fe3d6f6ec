package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.fleet.internal.execution.WorkerLoop;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.FleetClient;
import dev.holdfast.support.Futures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a worker to the planner: its report, and the notice that it has joined.
 *
 * <p>The report is written to the worker's anchor when it has changed, one write at a time.
 *
 * <p>The notice is a grant of the fleet's workers' mark, which is released at once. If another worker holds the mark,
 * planners will list the workers anyway. So thousands of workers that join at once need not wait for each other. But
 * the holder may be dead, and planners may know that before this worker does. So the notice is repeated at every poll
 * until the mark was granted, or a planner has written an assignment for this worker.
 *
 * <p>Confined to the worker's {@link WorkerLoop}.
 */
final class PlannerMessages {
    /** Short: while a dead worker holds the mark, planners list the workers at every refresh. */
    private static final Duration NOTICE_TERM = Duration.ofSeconds(1);

    private final FleetClient client;
    private final WorkerLoop workerLoop;
    private @Nullable WorkerReport written;
    private boolean writing;
    private long joins;
    private boolean sending;
    private NoticeAnswer answer = NoticeAnswer.NONE;

    /** The answer to the notices of the current join. */
    private enum NoticeAnswer {
        NONE,
        HELD_BY_ANOTHER,
        GRANTED
    }

    PlannerMessages(FleetClient client, WorkerLoop workerLoop) {
        this.client = client;
        this.workerLoop = workerLoop;
    }

    /** Notes a new anchor, which has no report and which no planner knows yet. */
    void joined() {
        written = null;
        joins++;
        answer = NoticeAnswer.NONE;
    }

    /** @param then called when the report is written */
    void report(Anchor anchor, WorkerReport report, Runnable then) {
        if (writing || report.equals(written)) {
            return;
        }
        writing = true;
        workerLoop.call(() -> anchor.updateAsync(report.toPatch()), (nothing, error) -> {
            writing = false;
            if (error == null) {
                written = report;
                then.run();
            } else {
                workerLoop.reportTrouble("reporting", error);
            }
        });
    }

    /** @param planned whether a live planner has written an assignment for this worker */
    void sendNoticeIfDue(boolean planned) {
        if (sending || answer == NoticeAnswer.GRANTED || (answer == NoticeAnswer.HELD_BY_ANOTHER && planned)) {
            return;
        }
        sending = true;
        long thisJoin = joins;
        AcquireOptions options =
                AcquireOptions.defaults().term(NOTICE_TERM).autoRenew(false).holder(client.worker());
        workerLoop.call(
                () -> client.async().tryAcquire(client.layout().workersMark(), options),
                (result, error) -> noticeSent(thisJoin, result, error));
    }

    private void noticeSent(long join, @Nullable AcquireResult result, @Nullable Throwable error) {
        sending = false;
        if (result == null) {
            workerLoop.reportTrouble("sending the join notice", error);
            return;
        }
        // If the release fails, the term ends soon.
        result.lease().ifPresent(lease -> Futures.whenDone(lease.releaseAsync(), (released, trouble) -> {}));
        if (join == joins) {
            answer = result.isGranted() ? NoticeAnswer.GRANTED : NoticeAnswer.HELD_BY_ANOTHER;
        }
    }
}
