package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.internal.callback.UserCall;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.internal.Futures;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One unit in this process, from being wanted to being handed over, and again.
 *
 * <p>It is a small state machine, and the one place from which a user's callbacks for the unit are called: the next begins
 * when the one before is over, whatever became of the lease meanwhile. A lease that is lost stops the work like one that
 * is wanted elsewhere, except that there is nothing left to hand over.
 *
 * <p>Confined to the worker's {@link SerialExecutor}.
 */
final class UnitSlot implements HeldUnit.Owner {
    private final String name;
    private final UnitSlotServices unitSlotServices;
    private Phase phase = Phase.IDLE;
    private boolean wanted;
    private boolean finished;
    private final UnitFailures unitFailures;
    private @Nullable CompletableFuture<AcquireResult> asking;
    private @Nullable HeldUnit unit;
    private @Nullable UserCall starting;
    private @Nullable RevokeReason stopFor;
    /** Whether the unit was let go though the work on it goes on. */
    private boolean overdue;

    private @Nullable Throwable failure;
    private HostEnvironment.@Nullable Timer deadline;

    private enum Phase {
        IDLE,
        ASKING,
        STARTING,
        RUNNING,
        STOPPING,
        RELEASING
    }

    UnitSlot(String name, UnitSlotServices unitSlotServices) {
        this.name = name;
        this.unitSlotServices = unitSlotServices;
        this.unitFailures = new UnitFailures(unitSlotServices);
    }

    String name() {
        return name;
    }

    boolean isFinished() {
        return finished;
    }

    /** Whether it is resting after a failure. */
    boolean isResting() {
        return unitFailures.isAny() && phase == Phase.IDLE;
    }

    /** Whether it is resting, and has not rested for long enough. */
    boolean isTiredNow() {
        return isResting() && !unitFailures.isRested();
    }

    /** Whether it was given to this worker, which has not begun with it but means to. */
    boolean isWaiting() {
        return wanted && !finished && !isResting() && phase != Phase.RUNNING;
    }

    boolean isEmpty() {
        return phase == Phase.IDLE;
    }

    /** Whether work on it goes on, or may, and the unit is not let go of yet. */
    boolean isAtWork() {
        boolean calls = phase == Phase.STARTING || phase == Phase.RUNNING || phase == Phase.STOPPING;
        return calls && !overdue;
    }

    void want() {
        wanted = true;
        goOn();
    }

    void unwant(RevokeReason reason) {
        wanted = false;
        stop(reason);
        dropIfOver();
    }

    /** A plan that came after the unit was finished still has it: somebody may have reopened it. */
    void askAnew() {
        finished = false;
        goOn();
    }

    /** Asks for the unit if it is time to. */
    void goOn() {
        if (phase != Phase.IDLE || !wanted || finished || !unitFailures.isRested() || !unitSlotServices.mayAsk(name)) {
            return;
        }
        phase = Phase.ASKING;
        CompletableFuture<AcquireResult> asked = ContainedCall.of(() -> unitSlotServices.ask(name));
        asking = asked;
        Futures.whenDone(asked, (result, error) -> unitSlotServices.run(() -> answered(result, error)));
    }

    private void answered(@Nullable AcquireResult result, @Nullable Throwable error) {
        asking = null;
        phase = Phase.IDLE;
        Lease lease = result == null ? null : result.lease().orElse(null);
        if (error != null) {
            if (!(Futures.cause(error) instanceof CancellationException)) {
                unitSlotServices.trouble("acquiring " + name, Futures.cause(error));
            }
            makeSure(1);
            return;
        }
        boolean isUnit = lease != null && unitSlotServices.isUnit(lease);
        if (lease != null && isUnit && wanted && unitSlotServices.mayStart()) {
            start(lease);
            return;
        } else if (lease != null) {
            // A deleted unit is over for this worker, until a later plan has it: else it would ask again at once, for
            // ever.
            finished |= !isUnit;
            release(lease);
            return;
        } else if (result instanceof AcquireResult.Done) {
            finished = true;
            unitSlotServices.changed();
        }
        // The next poll tries again: at once would be in vain, and without end.
        dropIfOver();
    }

    private void start(Lease lease) {
        HeldUnit started = new HeldUnit(name, lease, unitSlotServices.runtime(), this);
        unit = started;
        stopFor = null;
        phase = Phase.STARTING;
        unitSlotServices.hold(started);
        lease.onLost(reason -> unitSlotServices.run(() -> lost(started)));
        unitSlotServices.starting(this, lease);
        UserCall call = unitSlotServices.begin(started);
        starting = call;
        Futures.whenDone(call.over(), (nothing, error) -> unitSlotServices.run(() -> started(started, call, error)));
    }

    private void started(HeldUnit which, UserCall call, @Nullable Throwable error) {
        starting = null;
        if (call.isDropped()) {
            unitSlotServices.revoking(which);
            release(which.lease());
            return;
        }
        phase = Phase.RUNNING;
        Throwable failed = error == null ? failure : Futures.cause(error);
        if (finished) {
            over();
        } else if (failed != null) {
            giveBack(which, failed);
        } else if (stopFor != null) {
            callRevoked(which);
        } else {
            unitFailures.recovered();
            unitSlotServices.changed();
        }
    }

    private void stop(RevokeReason reason) {
        HeldUnit held = unit;
        if (phase == Phase.ASKING && asking != null) {
            asking.cancel(false);
        } else if (held != null && (phase == Phase.STARTING || phase == Phase.RUNNING) && stopFor == null) {
            stopFor = reason;
            held.revoke(reason, unitSlotServices.options().revokeDeadline());
            if (phase == Phase.RUNNING) {
                callRevoked(held);
            } else if (starting != null) {
                starting.drop(); // If it has not begun there is nothing to stop.
                setDeadline(held);
            }
        }
    }

    private void setDeadline(HeldUnit which) {
        cancelDeadline();
        deadline = unitSlotServices.schedule(unitSlotServices.options().revokeDeadline(), () -> overdue(which));
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    /** Stops the work, though the unit is still this worker's by plan. */
    void interrupt(RevokeReason reason) {
        stop(reason);
    }

    /** Stops the work on a lease that is about to end, unless that lease is not the one that is worked under any more. */
    void expiring(Lease lease) {
        if (unit != null && unit.lease() == lease) {
            stop(RevokeReason.EXPIRING);
        }
    }

    /**
     * Checks by a renewal that the unit is still held. A listing may be older than the grant, so it can only raise the
     * suspicion; if the renewal is refused, the lease reports its loss.
     */
    void checkHeld() {
        HeldUnit held = unit;
        if (held != null && (phase == Phase.STARTING || phase == Phase.RUNNING) && stopFor == null) {
            Futures.whenDone(ContainedCall.of(() -> held.lease().renewAsync()), (nothing, error) -> {});
        }
    }

    private void lost(HeldUnit which) {
        if (unit == which) {
            stop(RevokeReason.LOST);
        }
    }

    private void callRevoked(HeldUnit which) {
        phase = Phase.STOPPING;
        cancelDeadline();
        unitSlotServices.revoking(which);
        unitSlotServices.stop(which, call -> stopping(which, call));
    }

    /** The deadline counts from the begin of the callback: until then the work goes on, and so the unit must be kept. */
    private void stopping(HeldUnit which, UserCall call) {
        Futures.whenDone(call.begun(), (nothing, error) -> {
            which.beginToStop();
            unitSlotServices.run(() -> stopBegun(which));
        });
        Futures.whenDone(call.over(), (nothing, error) -> unitSlotServices.run(() -> stopped(which, error)));
    }

    private void stopBegun(HeldUnit which) {
        if (unit == which && phase == Phase.STOPPING && !overdue) {
            setDeadline(which);
        }
    }

    private void stopped(HeldUnit which, @Nullable Throwable error) {
        if (error != null) {
            unitSlotServices.unitFailed(name, Futures.cause(error));
        }
        if (finished) {
            over();
        } else {
            unitFailures.recovered();
            release(which.lease());
        }
    }

    /** The work goes on though it should have stopped: what is left is to stop believing, and to let others have it. */
    private void overdue(HeldUnit which) {
        if (unit == which && (phase == Phase.STARTING || phase == Phase.STOPPING)) {
            overdue = true;
            unitSlotServices.overdue(which);
            Futures.whenDone(which.lease().releaseAsync(), (released, error) -> {});
            unitSlotServices.changed();
        }
    }

    private void release(Lease lease) {
        phase = Phase.RELEASING;
        Futures.whenDone(lease.releaseAsync(), (released, error) -> unitSlotServices.run(() -> released(error, 1)));
    }

    private void released(@Nullable Throwable error, int attempt) {
        if (error == null) {
            over();
            return;
        }
        unitSlotServices.trouble("releasing " + name, Futures.cause(error));
        unitSlotServices.schedule(unitSlotServices.options().backoff(attempt), () -> makeSure(attempt + 1));
    }

    /** Goes on only when the store says that the unit is not held in this worker's name: else nobody could ever have it. */
    private void makeSure(int attempt) {
        phase = Phase.RELEASING;
        CompletionStage<Void> sure = ContainedCall.of(() -> unitSlotServices.reclaim(name));
        Futures.whenDone(sure, (nothing, error) -> unitSlotServices.run(() -> released(error, attempt)));
    }

    private void over() {
        if (unit != null) {
            unitSlotServices.letGo(unit);
        }
        cancelDeadline();
        unit = null;
        overdue = false;
        stopFor = null;
        failure = null;
        phase = Phase.IDLE;
        if (finished || unitFailures.isAny()) {
            unitSlotServices.urgent();
        }
        unitSlotServices.changed();
        dropIfOver();
        goOn();
    }

    private void dropIfOver() {
        if (!wanted && phase == Phase.IDLE) {
            unitSlotServices.forget(this);
        }
    }

    @Override
    public void finished(HeldUnit which) {
        unitSlotServices.run(() -> {
            if (unit == which) {
                finished = true;
                if (phase == Phase.RUNNING) {
                    over();
                }
            }
        });
    }

    @Override
    public void failed(HeldUnit which, Throwable cause) {
        unitSlotServices.run(() -> {
            if (unit == which && phase == Phase.RUNNING) {
                giveBack(which, cause);
            } else if (unit == which && phase == Phase.STARTING) {
                failure = cause;
            }
        });
    }

    private void giveBack(HeldUnit which, Throwable cause) {
        unitFailures.failed();
        unitSlotServices.unitFailed(name, cause);
        release(which.lease());
    }
}
