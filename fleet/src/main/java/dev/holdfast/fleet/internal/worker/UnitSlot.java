package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.internal.execution.CallbackExecution;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of one unit in this process, from its assignment to its hand-over, and again.
 *
 * <pre>
 *              due              granted            started
 *   Idle ------------> Acquiring -------> Starting -------> Running
 *    ^                     |               |    |            |   |
 *    |     not granted     |               |    | stop       |   | stop: moved, closing,
 *    +---------------------+               |    |            |   | expiring, lost
 *    |                     |        failed,|    v            |   |
 *    |          no answer, |    not begun, |  Stopping <-----|---+
 *    |          not wanted |     then stop |    | stopped    | failed
 *    | certainly           v               v    v            v
 *    | not held +---------------------------------------------+
 *    +----------|                  Releasing                  |
 *               +---------------------------------------------+
 * </pre>
 *
 * A unit that is done goes from Starting, Running or Stopping straight to Idle, as it needs no release. If the work does
 * not stop within its grace time, the lease is released although the callback continues. The slot leaves Starting or
 * Stopping only when the callback is over: each callback begins when the previous one is over, even if the lease was
 * lost meanwhile. The loss of a lease stops the work like a move, except that there is nothing to hand over.
 *
 * <p>The slot is the only place that calls the user's callbacks for the unit. Confined to the worker's
 * {@link WorkerStepLoop}.
 */
final class UnitSlot implements AssignedUnit.Owner {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final String name;
    private final Surroundings around;
    private volatile SlotState state = new Idle();
    /** Whether the worker wants the unit. */
    private boolean assigned;
    /** Whether the unit is done, or no longer a unit, so that the worker has nothing to do until a later plan. */
    private boolean finished;
    /** The number of failures in a row on this worker. */
    private int failures;

    private long backoffUntilNanos;

    /** The collaborators of all slots of a worker. */
    record Surroundings(
            WorkerClient client,
            UnitLeaseSource source,
            CallbackRunner callbacks,
            WorkerStepLoop stepLoop,
            SlotRegistry registry) {}

    /** The register of a worker's slots. */
    interface SlotRegistry {
        /** Removes a slot that is idle and not assigned. */
        void remove(UnitSlot unitSlot);

        /** Notes that the report contains news that cannot wait for the next poll. */
        void requestReport();
    }

    private sealed interface SlotState {
        /** Returns the unit that is held, or being released after it was. */
        default @Nullable AssignedUnit unit() {
            return null;
        }
    }

    private record Idle() implements SlotState {}

    private record Acquiring(CompletableFuture<AcquireResult> request) implements SlotState {}

    /** @param failure the failure that the user reported before the callback was over */
    private record Starting(
            AssignedUnit unit,
            CallbackExecution call,
            RevokeGracePeriod grace,
            @Nullable Throwable failure) implements SlotState {}

    private record Running(AssignedUnit unit) implements SlotState {}

    private record Stopping(AssignedUnit unit, RevokeGracePeriod grace) implements SlotState {}

    private record Releasing(@Nullable AssignedUnit unit) implements SlotState {}

    UnitSlot(String name, Surroundings around) {
        this.name = name;
        this.around = around;
    }

    String name() {
        return name;
    }

    /** Returns the unit that is held, or being released after it was. Any thread may ask. */
    @Nullable
    AssignedUnit unit() {
        return state.unit();
    }

    boolean isFinished() {
        return finished;
    }

    /** Whether the unit failed here and is not being acquired again yet. */
    boolean hasFailed() {
        return failures > 0 && isIdle();
    }

    /** Whether the unit failed here and its back-off is not over. */
    boolean isBackingOff() {
        return hasFailed() && !isBackoffOver();
    }

    private boolean isBackoffOver() {
        return failures == 0 || around.stepLoop.nanos() - backoffUntilNanos >= 0;
    }

    /** Whether the unit was assigned to this worker, which has not started it yet but will. */
    boolean isWaiting() {
        return assigned && !finished && !hasFailed() && !(state instanceof Running);
    }

    boolean isIdle() {
        return state instanceof Idle;
    }

    /** Whether work on the unit is or may be in progress, and the unit is not released yet. */
    boolean isAtWork() {
        return state instanceof Running
                || (state instanceof Starting starting && !starting.grace.isOver())
                || (state instanceof Stopping stopping && !stopping.grace.isOver());
    }

    /** Assigns the unit. A plan made after the unit was finished still contains it, so it may have been reopened. */
    void assign() {
        assigned = true;
        finished = false;
        acquireIfDue();
    }

    void unassign(RevokeReason reason) {
        assigned = false;
        stop(reason);
        removeIfUnassigned();
    }

    void acquireIfDue() {
        CompletableFuture<AcquireResult> request =
                isIdle() && assigned && !finished && isBackoffOver() ? around.source.acquire(name) : null;
        if (request != null) {
            state = new Acquiring(request);
            around.stepLoop.call(() -> request, this::acquired);
        }
    }

    private void acquired(@Nullable AcquireResult result, @Nullable Throwable error) {
        if (error != null) {
            if (!(error instanceof CancellationException)) {
                around.stepLoop.reportTrouble("acquiring " + name, error);
            }
            ensureReleased(1);
            return;
        }
        Lease lease = result == null ? null : result.granted().orElse(null);
        if (lease == null) {
            finished |= result instanceof AcquireResult.Done;
            // The next poll retries. An immediate retry would fail again, in an endless loop.
            state = new Idle();
            removeIfUnassigned();
            return;
        }
        UnitLeaseSource.GrantVerdict verdict = around.source.judge(lease);
        if (assigned && verdict == UnitLeaseSource.GrantVerdict.START_WORK) {
            start(lease);
            return;
        }
        // A deleted unit is finished for this worker until a later plan contains it. Otherwise the worker would acquire
        // it again and again.
        finished |= verdict == UnitLeaseSource.GrantVerdict.NOT_A_UNIT;
        if (verdict == UnitLeaseSource.GrantVerdict.LACKS_LABELS) {
            log.warn("unit {}: this worker lacks the required labels and leaves the unit to others", name);
            beginBackoff();
        }
        release(lease, null);
    }

    private void start(Lease lease) {
        AssignedUnit unit = new AssignedUnit(name, lease, around.client.runtime(), this);
        around.stepLoop.notifyListener(listener -> listener.onAssigned(name, unit.fence()));
        lease.onLost(reason -> around.stepLoop.run(() -> stopIfHeld(unit, RevokeReason.LOST)));
        Duration stopBeforeEnd = around.source.stopBeforeEnd();
        if (!stopBeforeEnd.isZero()) {
            lease.onExpiring(stopBeforeEnd, () -> around.stepLoop.run(() -> stopIfHeld(unit, RevokeReason.EXPIRING)));
        }
        CallbackExecution call = around.callbacks.start(unit);
        state = new Starting(unit, call, RevokeGracePeriod.UNLIMITED, null);
        around.stepLoop.call(call::over, (nothing, error) -> started(error));
    }

    private void started(@Nullable Throwable error) {
        if (!(state instanceof Starting starting)) {
            throw new IllegalStateException("started in " + state);
        }
        AssignedUnit unit = starting.unit;
        RevokeGracePeriod grace = starting.grace.cancel();
        Throwable failure = error == null ? starting.failure : error;
        if (starting.call.isDropped()) {
            notifyRevoked(unit);
            release(unit.lease(), unit);
        } else if (finished) {
            becomeIdle();
        } else if (failure != null) {
            releaseFailed(unit, failure);
        } else if (unit.isRevoked()) {
            callRevoked(unit, grace);
        } else {
            failures = 0;
            state = new Running(unit);
        }
    }

    /** Stops the work for now, whether or not the unit stays assigned to this worker. */
    void stop(RevokeReason reason) {
        if (state instanceof Acquiring acquiring) {
            acquiring.request.cancel(false);
        } else if (state instanceof Running running) {
            running.unit.revoke(reason, around.client.options().revokeDeadline());
            callRevoked(running.unit, RevokeGracePeriod.UNLIMITED);
        } else if (state instanceof Starting starting && !starting.unit.isRevoked()) {
            starting.unit.revoke(reason, around.client.options().revokeDeadline());
            starting.call.drop(); // If the callback has not begun, there is nothing to stop.
            state = new Starting(starting.unit, starting.call, startGrace(starting.unit), starting.failure);
        }
    }

    private void stopIfHeld(AssignedUnit unit, RevokeReason reason) {
        if (state.unit() == unit) {
            stop(reason);
        }
    }

    private RevokeGracePeriod startGrace(AssignedUnit unit) {
        return RevokeGracePeriod.until(
                around.stepLoop.schedule(around.client.options().revokeDeadline(), () -> graceOver(unit)));
    }

    /**
     * Renews the unit to check that it is still held. A listing may be older than the grant, so it only raises a
     * suspicion. If the renewal is rejected, the lease reports its loss.
     */
    void checkHeld() {
        AssignedUnit unit = state.unit();
        if (unit != null && !unit.isRevoked() && (state instanceof Starting || state instanceof Running)) {
            around.stepLoop.call(unit.lease()::renewAsync, (nothing, error) -> {});
        }
    }

    private void callRevoked(AssignedUnit unit, RevokeGracePeriod grace) {
        state = new Stopping(unit, grace);
        notifyRevoked(unit);
        CallbackExecution call = around.callbacks.stopAtStepEnd(unit);
        call.onBegun(() -> around.stepLoop.run(() -> stopStarted(unit)));
        around.stepLoop.call(call::over, (nothing, error) -> stopped(unit, error));
    }

    /** The grace time counts from the start of the callback. Until then the work continues, so the unit is kept. */
    private void stopStarted(AssignedUnit unit) {
        if (state instanceof Stopping stopping && stopping.unit == unit && !stopping.grace.isOver()) {
            unit.stopStarted();
            state = new Stopping(unit, startGrace(unit));
        }
    }

    private void stopped(AssignedUnit unit, @Nullable Throwable error) {
        if (error != null) {
            reportFailure(error);
        }
        if (finished) {
            becomeIdle();
        } else {
            failures = 0;
            release(unit.lease(), unit);
        }
    }

    /**
     * The work continues although it should have stopped. So the unit is no longer treated as held, and is released for
     * others.
     */
    private void graceOver(AssignedUnit unit) {
        if (state instanceof Starting starting && starting.unit == unit) {
            state = new Starting(unit, starting.call, RevokeGracePeriod.OVER, starting.failure);
        } else if (state instanceof Stopping stopping && stopping.unit == unit) {
            state = new Stopping(unit, RevokeGracePeriod.OVER);
        } else {
            return;
        }
        log.warn("{}: the work had not stopped by its deadline; the unit is released", unit);
        around.stepLoop.notifyListener(listener -> listener.onOverdue(name, unit.fence()));
        around.stepLoop.call(unit.lease()::releaseAsync, (released, error) -> {});
    }

    private void release(Lease lease, @Nullable AssignedUnit unit) {
        leaveWork(new Releasing(unit));
        around.stepLoop.call(lease::releaseAsync, (released, error) -> released(error, 1));
    }

    private void released(@Nullable Throwable error, int attempt) {
        if (error == null) {
            becomeIdle();
            return;
        }
        around.stepLoop.reportTrouble("releasing " + name, error);
        around.stepLoop.schedule(around.client.options().backoff(attempt), () -> ensureReleased(attempt + 1));
    }

    /**
     * Continues only when the store shows that this worker does not hold the unit. Otherwise no worker could ever
     * acquire it.
     */
    private void ensureReleased(int attempt) {
        state = new Releasing(state.unit());
        around.stepLoop.call(() -> around.source.reclaim(name), (nothing, error) -> released(error, attempt));
    }

    private void becomeIdle() {
        leaveWork(new Idle());
        if (finished || failures > 0) {
            around.registry.requestReport();
        }
        removeIfUnassigned();
        acquireIfDue();
    }

    private void leaveWork(SlotState next) {
        if (state instanceof Stopping stopping) {
            stopping.grace.cancel();
        }
        state = next;
    }

    private void removeIfUnassigned() {
        if (!assigned && isIdle()) {
            around.registry.remove(this);
        }
    }

    @Override
    public void finished(AssignedUnit unit) {
        around.stepLoop.run(() -> {
            if (state.unit() == unit) {
                finished = true;
                if (state instanceof Running) {
                    becomeIdle();
                }
            }
        });
    }

    @Override
    public void failed(AssignedUnit unit, Throwable cause) {
        around.stepLoop.run(() -> {
            if (state instanceof Running running && running.unit == unit) {
                releaseFailed(unit, cause);
            } else if (state instanceof Starting starting && starting.unit == unit) {
                state = new Starting(unit, starting.call, starting.grace, cause);
            }
        });
    }

    private void releaseFailed(AssignedUnit unit, Throwable cause) {
        beginBackoff();
        reportFailure(cause);
        release(unit.lease(), unit);
    }

    private void beginBackoff() {
        failures++;
        Duration minimum = around.source.minBackoff();
        Duration backoff = around.client.options().backoff(failures);
        backoffUntilNanos = around.stepLoop.nanos() + (backoff.compareTo(minimum) < 0 ? minimum : backoff).toNanos();
    }

    private void reportFailure(Throwable cause) {
        log.warn("unit {}: a callback failed", name, cause);
        around.stepLoop.notifyListener(listener -> listener.onUnitFailed(name, cause));
    }

    private void notifyRevoked(AssignedUnit unit) {
        RevokeReason reason = unit.revoked().orElse(RevokeReason.MOVED);
        around.stepLoop.notifyListener(listener -> listener.onRevoked(name, unit.fence(), reason));
    }
}
