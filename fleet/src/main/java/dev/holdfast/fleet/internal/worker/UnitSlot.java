package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.internal.callback.UserCall;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.support.Futures;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of one unit in this process, from its assignment to its hand-over, and again.
 *
 * <p>It is a small state machine, and the only place that calls the user's callbacks for the unit. Each callback begins
 * when the previous one is over, even if the lease was lost meanwhile. The loss of a lease stops the work like a move,
 * except that there is nothing to hand over.
 *
 * <p>Confined to the worker's {@link SerialExecutor}.
 */
final class UnitSlot implements HeldUnit.Owner {
    private final String name;
    private final UnitSlotServices unitSlotServices;
    private Phase phase = Phase.IDLE;
    private boolean assigned;
    private boolean finished;
    private final UnitFailures unitFailures;
    private @Nullable CompletableFuture<AcquireResult> acquiring;
    private @Nullable HeldUnit unit;
    private @Nullable UserCall starting;
    private @Nullable RevokeReason stopFor;
    /** Whether the unit was released although work on it continues. */
    private boolean overdue;

    private @Nullable Throwable failure;
    private HostEnvironment.@Nullable Timer deadline;

    private enum Phase {
        IDLE,
        ACQUIRING,
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

    /** Whether the unit failed here and is not being acquired again yet. */
    boolean hasFailed() {
        return unitFailures.isAny() && phase == Phase.IDLE;
    }

    /** Whether the unit failed here and its back-off is not over. */
    boolean isBackingOff() {
        return hasFailed() && !unitFailures.isBackoffOver();
    }

    /** Whether the unit was assigned to this worker, which has not started it yet but will. */
    boolean isWaiting() {
        return assigned && !finished && !hasFailed() && phase != Phase.RUNNING;
    }

    boolean isEmpty() {
        return phase == Phase.IDLE;
    }

    /** Whether work on the unit is or may be in progress, and the unit is not released yet. */
    boolean isAtWork() {
        boolean calls = phase == Phase.STARTING || phase == Phase.RUNNING || phase == Phase.STOPPING;
        return calls && !overdue;
    }

    void assign() {
        assigned = true;
        acquireIfDue();
    }

    void unassign(RevokeReason reason) {
        assigned = false;
        stop(reason);
        forgetIfUnassigned();
    }

    /** A plan made after the unit was finished still contains it, so the unit may have been reopened. */
    void acquireAgain() {
        finished = false;
        acquireIfDue();
    }

    /** Acquires the unit if it is due. */
    void acquireIfDue() {
        if (phase != Phase.IDLE
                || !assigned
                || finished
                || !unitFailures.isBackoffOver()
                || !unitSlotServices.mayAcquire(name)) {
            return;
        }
        phase = Phase.ACQUIRING;
        CompletableFuture<AcquireResult> request = ContainedCall.of(() -> unitSlotServices.acquire(name));
        acquiring = request;
        Futures.whenDone(request, (result, error) -> unitSlotServices.run(() -> acquired(result, error)));
    }

    private void acquired(@Nullable AcquireResult result, @Nullable Throwable error) {
        acquiring = null;
        phase = Phase.IDLE;
        Lease lease = result == null ? null : result.granted().orElse(null);
        if (error != null) {
            if (!(Futures.cause(error) instanceof CancellationException)) {
                unitSlotServices.reportTrouble("acquiring " + name, Futures.cause(error));
            }
            ensureReleased(1);
            return;
        }
        boolean isUnit = lease != null && unitSlotServices.isUnit(lease);
        if (lease != null && isUnit && assigned && unitSlotServices.mayStart()) {
            start(lease);
            return;
        } else if (lease != null) {
            // A deleted unit is finished for this worker until a later plan contains it. Otherwise the worker would
            // acquire it again and again.
            finished |= !isUnit;
            release(lease);
            return;
        } else if (result instanceof AcquireResult.Done) {
            finished = true;
            unitSlotServices.changed();
        }
        // The next poll retries. An immediate retry would fail again, in an endless loop.
        forgetIfUnassigned();
    }

    private void start(Lease lease) {
        HeldUnit started = new HeldUnit(name, lease, unitSlotServices.runtime(), this);
        unit = started;
        stopFor = null;
        phase = Phase.STARTING;
        unitSlotServices.addHeld(started);
        lease.onLost(reason -> unitSlotServices.run(() -> lost(started)));
        unitSlotServices.starting(this, lease);
        UserCall call = unitSlotServices.callAssigned(started);
        starting = call;
        Futures.whenDone(call.over(), (nothing, error) -> unitSlotServices.run(() -> started(started, call, error)));
    }

    private void started(HeldUnit which, UserCall call, @Nullable Throwable error) {
        starting = null;
        if (call.isDropped()) {
            unitSlotServices.notifyRevoked(which);
            release(which.lease());
            return;
        }
        phase = Phase.RUNNING;
        Throwable failed = error == null ? failure : Futures.cause(error);
        if (finished) {
            becomeIdle();
        } else if (failed != null) {
            releaseFailed(which, failed);
        } else if (stopFor != null) {
            callRevoked(which);
        } else {
            unitFailures.recovered();
            unitSlotServices.changed();
        }
    }

    private void stop(RevokeReason reason) {
        HeldUnit held = unit;
        if (phase == Phase.ACQUIRING && acquiring != null) {
            acquiring.cancel(false);
        } else if (held != null && (phase == Phase.STARTING || phase == Phase.RUNNING) && stopFor == null) {
            stopFor = reason;
            held.revoke(reason, unitSlotServices.options().revokeDeadline());
            if (phase == Phase.RUNNING) {
                callRevoked(held);
            } else if (starting != null) {
                starting.drop(); // If the callback has not begun, there is nothing to stop.
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

    /** Stops the work although the unit is still assigned to this worker. */
    void interrupt(RevokeReason reason) {
        stop(reason);
    }

    /** Stops the work if {@code lease}, which is about to expire, is still the current one. */
    void expiring(Lease lease) {
        if (unit != null && unit.lease() == lease) {
            stop(RevokeReason.EXPIRING);
        }
    }

    /**
     * Renews the unit to check that it is still held. A listing may be older than the grant, so it only raises a
     * suspicion. If the renewal is rejected, the lease reports its loss.
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
        unitSlotServices.notifyRevoked(which);
        unitSlotServices.stopAtEndOfStep(which, call -> stopping(which, call));
    }

    /** The deadline counts from the start of the callback. Until then the work continues, so the unit must be kept. */
    private void stopping(HeldUnit which, UserCall call) {
        Futures.whenDone(call.begun(), (nothing, error) -> {
            which.stopStarted();
            unitSlotServices.run(() -> stopStarted(which));
        });
        Futures.whenDone(call.over(), (nothing, error) -> unitSlotServices.run(() -> stopped(which, error)));
    }

    private void stopStarted(HeldUnit which) {
        if (unit == which && phase == Phase.STOPPING && !overdue) {
            setDeadline(which);
        }
    }

    private void stopped(HeldUnit which, @Nullable Throwable error) {
        if (error != null) {
            unitSlotServices.reportUnitFailed(name, Futures.cause(error));
        }
        if (finished) {
            becomeIdle();
        } else {
            unitFailures.recovered();
            release(which.lease());
        }
    }

    /**
     * The work continues although it should have stopped. So the unit is no longer treated as held, and is released for
     * others.
     */
    private void overdue(HeldUnit which) {
        if (unit == which && (phase == Phase.STARTING || phase == Phase.STOPPING)) {
            overdue = true;
            unitSlotServices.notifyOverdue(which);
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
            becomeIdle();
            return;
        }
        unitSlotServices.reportTrouble("releasing " + name, Futures.cause(error));
        unitSlotServices.schedule(unitSlotServices.options().backoff(attempt), () -> ensureReleased(attempt + 1));
    }

    /**
     * Continues only when the store shows that this worker does not hold the unit. Otherwise no worker could ever
     * acquire it.
     */
    private void ensureReleased(int attempt) {
        phase = Phase.RELEASING;
        CompletionStage<Void> reclaimed = ContainedCall.of(() -> unitSlotServices.reclaim(name));
        Futures.whenDone(reclaimed, (nothing, error) -> unitSlotServices.run(() -> released(error, attempt)));
    }

    private void becomeIdle() {
        if (unit != null) {
            unitSlotServices.removeHeld(unit);
        }
        cancelDeadline();
        unit = null;
        overdue = false;
        stopFor = null;
        failure = null;
        phase = Phase.IDLE;
        if (finished || unitFailures.isAny()) {
            unitSlotServices.reportNow();
        }
        unitSlotServices.changed();
        forgetIfUnassigned();
        acquireIfDue();
    }

    private void forgetIfUnassigned() {
        if (!assigned && phase == Phase.IDLE) {
            unitSlotServices.forget(this);
        }
    }

    @Override
    public void finished(HeldUnit which) {
        unitSlotServices.run(() -> {
            if (unit == which) {
                finished = true;
                if (phase == Phase.RUNNING) {
                    becomeIdle();
                }
            }
        });
    }

    @Override
    public void failed(HeldUnit which, Throwable cause) {
        unitSlotServices.run(() -> {
            if (unit == which && phase == Phase.RUNNING) {
                releaseFailed(which, cause);
            } else if (unit == which && phase == Phase.STARTING) {
                failure = cause;
            }
        });
    }

    private void releaseFailed(HeldUnit which, Throwable cause) {
        unitFailures.failed();
        unitSlotServices.reportUnitFailed(name, cause);
        release(which.lease());
    }
}
