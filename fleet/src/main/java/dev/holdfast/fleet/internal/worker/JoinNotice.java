package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.fleet.internal.planner.FleetWatch;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.internal.Futures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells planners that a worker has a new anchor, by a grant of the fleet's mark of workers: see {@link FleetWatch}. The mark is
 * released at once.
 *
 * <p>If another worker holds the mark, planners will list anyway: that is enough, so thousands that join at once need not
 * wait in line. But the holder may be dead, and planners may know that while this worker does not yet. So the notice is
 * given again at every poll, until it was granted, or a planner has written for this worker.
 *
 * <p>Confined to the worker's {@link SerialExecutor}.
 */
public final class JoinNotice {
    /** While a worker that died holds the mark, planners list at every look. */
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

    /** There is a new anchor, of which no planner has been told. */
    void joined() {
        joins++;
        answered = false;
        granted = false;
    }

    /** @param planned whether a living planner has written for this worker */
    void giveIfDue(boolean planned) {
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
                (result, error) -> unitSlotServices.run(() -> over(thisJoin, result, error)));
    }

    private void over(long join, @Nullable AcquireResult result, @Nullable Throwable error) {
        sending = false;
        if (result == null) {
            unitSlotServices.trouble("giving notice of having joined", error == null ? null : Futures.cause(error));
            return;
        }
        // If that fails its term ends soon.
        result.lease().ifPresent(lease -> Futures.whenDone(lease.releaseAsync(), (released, trouble) -> {}));
        if (join == joins) {
            answered = true;
            granted = result.isGranted();
        }
    }
}
