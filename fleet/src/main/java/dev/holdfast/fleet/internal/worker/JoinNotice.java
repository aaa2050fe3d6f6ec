package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.fleet.internal.planner.FleetWatch;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.support.Futures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The notice to planners that a worker has a new anchor. It is a grant of the fleet's workers' mark, which is released
 * at once: see {@link FleetWatch}.
 *
 * <p>If another worker holds the mark, planners will list the workers anyway. So thousands of workers that join at once
 * need not wait for each other. But the holder may be dead, and planners may know that before this worker does. So the
 * notice is repeated at every poll until the mark was granted, or a planner has written an assignment for this worker.
 *
 * <p>Confined to the worker's {@link SerialExecutor}.
 */
public final class JoinNotice {
    /** Short: while a dead worker holds the mark, planners list the workers at every refresh. */
    private static final Duration TERM = Duration.ofSeconds(1);

    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private long joins;
    private boolean sending;
    private boolean answered;
    private boolean granted;

    JoinNotice(WorkerSetup workerSetup, UnitSlotServices unitSlotServices) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
    }

    /** Notes a new anchor, which no planner knows yet. */
    void joined() {
        joins++;
        answered = false;
        granted = false;
    }

    /** @param planned whether a live planner has written an assignment for this worker */
    void sendIfDue(boolean planned) {
        if (sending || granted || (answered && planned)) {
            return;
        }
        sending = true;
        long thisJoin = joins;
        AcquireOptions options =
                AcquireOptions.defaults().term(TERM).autoRenew(false).holder(workerSetup.worker());
        Futures.whenDone(
                ContainedCall.of(
                        () -> workerSetup.async().tryAcquire(workerSetup.names().workersMark(), options)),
                (result, error) -> unitSlotServices.run(() -> sent(thisJoin, result, error)));
    }

    private void sent(long join, @Nullable AcquireResult result, @Nullable Throwable error) {
        sending = false;
        if (result == null) {
            unitSlotServices.reportTrouble("sending the join notice", error == null ? null : Futures.cause(error));
            return;
        }
        // If the release fails, the term ends soon.
        result.granted().ifPresent(lease -> Futures.whenDone(lease.releaseAsync(), (released, trouble) -> {}));
        if (join == joins) {
            answered = true;
            granted = result.isGranted();
        }
    }
}
