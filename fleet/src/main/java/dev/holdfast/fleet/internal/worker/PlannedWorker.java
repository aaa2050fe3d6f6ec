package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.planner.EmptyFleetCheck;
import dev.holdfast.fleet.internal.planner.PlanRevision;
import dev.holdfast.fleet.internal.planner.PlannerCheck;
import dev.holdfast.fleet.internal.planner.PlannerRole;
import dev.holdfast.fleet.internal.planner.PollTimer;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a fleet with a planner. It holds an anchor, follows its assignment, and reports its progress. If it loses
 * its anchor, it loses its units too. Then it stops the work and joins again.
 */
public final class PlannedWorker implements FleetMember, UnitSlotServices.Terms {
    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private final UnitSlots unitSlots;
    private final AssignmentReader assignmentReader;
    private final ReportWriter reportWriter;
    private final JoinNotice joinNotice;
    private final PlannerRole plannerRole;
    private final WorkerHealth workerHealth;
    private final PlannerCheck plannerCheck;
    private final UnitAcquirer unitAcquirer;
    private final PollTimer pollTimer;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable Anchor anchor;
    private @Nullable CompletableFuture<Anchor> joining;
    private PlanRevision newest = PlanRevision.NONE;
    private PlanRevision applied = PlanRevision.NONE;
    private boolean expiring;
    private boolean leaving;
    private boolean pastDeadline;
    private boolean closed;
    private int failedJoins;

    public PlannedWorker(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = new UnitSlotServices(workerSetup, this);
        this.unitSlots = new UnitSlots(unitSlotServices);
        this.assignmentReader = new AssignmentReader(workerSetup);
        this.reportWriter = new ReportWriter(unitSlotServices);
        this.joinNotice = new JoinNotice(workerSetup, unitSlotServices);
        this.pollTimer = new PollTimer(unitSlotServices, this::poll);
        this.plannerRole = new PlannerRole(workerSetup, unitSlotServices, pollTimer::pollNow);
        this.workerHealth = new WorkerHealth(workerSetup);
        this.plannerCheck = new PlannerCheck(workerSetup, workerHealth);
        this.unitAcquirer = new UnitAcquirer(workerSetup, unitSlotServices, unitSlots::acquireIfDue);
    }

    @Override
    public CompletableFuture<Void> join() {
        unitSlotServices.run(this::requestAnchor);
        return joined;
    }

    private void requestAnchor() {
        if (closed || leaving) {
            return;
        }
        CompletableFuture<Anchor> request = ContainedCall.of(() -> workerSetup
                .async()
                .anchor(
                        workerSetup.names().anchorHolder(workerSetup.worker()),
                        workerSetup.options().term()));
        joining = request;
        Futures.whenDone(request, (got, error) -> unitSlotServices.run(() -> anchorResolved(got, error)));
    }

    private void anchorResolved(@Nullable Anchor got, @Nullable Throwable error) {
        joining = null;
        if (got == null) {
            Throwable cause = Futures.cause(Objects.requireNonNull(error));
            if (!joined.completeExceptionally(cause) && !leaving) {
                unitSlotServices.reportTrouble("joining again", cause);
                Duration backoff = workerSetup.options().backoff(++failedJoins);
                unitSlotServices.schedule(backoff, this::requestAnchor);
            }
            return;
        }
        if (leaving) {
            Futures.whenDone(got.releaseAsync(), (released, trouble) -> unitSlotServices.run(this::finishIfEmpty));
            return;
        }
        anchor = got;
        failedJoins = 0;
        expiring = false;
        reportWriter.reset();
        joinNotice.joined();
        workerHealth.joined();
        got.onLost(reason -> unitSlotServices.run(() -> anchorLost(got, reason)));
        got.onExpiring(
                workerSetup.options().term().dividedBy(3), () -> unitSlotServices.run(() -> anchorExpiring(got)));
        unitSlotServices.notifyListener(() -> workerSetup.listener().onJoined(workerSetup.worker()));
        if (joined.complete(null)) {
            new EmptyFleetCheck(workerSetup, unitSlotServices).check();
        }
        plannerRole.begin(got);
        pollTimer.pollNow();
    }

    /** Two renewals have failed, so all work must stop before the term ends. */
    private void anchorExpiring(Anchor which) {
        if (anchor == which) {
            expiring = true;
            unitSlots.interruptAll(RevokeReason.EXPIRING);
        }
    }

    private void anchorLost(Anchor which, LostReason reason) {
        if (anchor != which) {
            return;
        }
        anchor = null;
        applied = PlanRevision.NONE;
        workerHealth.lost("out of the fleet: " + reason);
        plannerRole.end();
        unitSlots.stopAll(RevokeReason.LOST);
        unitSlotServices.notifyListener(() -> workerSetup.listener().onLost(workerSetup.worker(), reason.toString()));
        if (leaving) {
            finishIfEmpty();
        } else {
            requestAnchor();
        }
    }

    private CompletionStage<Void> poll() {
        Anchor under = anchor;
        if (under == null) {
            return CompletableFuture.completedFuture(null); // A new anchor starts a poll by itself.
        }
        if (expiring && under.remaining().compareTo(workerSetup.options().term().dividedBy(2)) > 0) {
            expiring = false;
        }
        CompletableFuture<Void> polled = new CompletableFuture<>();
        Futures.whenDone(
                ContainedCall.of(assignmentReader::read),
                (mail, error) -> unitSlotServices.run(() -> {
                    polled.complete(null);
                    if (anchor == under) {
                        polled(mail, error);
                    }
                }));
        return polled;
    }

    private void polled(AssignmentReader.@Nullable Mail mail, @Nullable Throwable error) {
        if (mail == null) {
            unitSlotServices.reportTrouble("reading the assignment", error == null ? null : Futures.cause(error));
        } else {
            workerHealth.storeResponded();
            applyAssignment(mail);
            joinNotice.sendIfDue(mail.planned());
        }
        unitSlots.acquireIfDue();
        report();
        finishIfEmpty();
        plannerCheck.checkIfDue();
    }

    private void applyAssignment(AssignmentReader.Mail mail) {
        AssignmentReader.Assigned assigned = mail.assigned();
        boolean standby = assigned != null && assigned.standby();
        if (assigned != null
                && assigned.revision().compareTo(newest) >= 0
                && !assigned.revision().equals(applied)) {
            newest = assigned.revision();
            applied = newest;
            unitSlots.assignOnly(assigned.units(), leaving ? RevokeReason.CLOSING : RevokeReason.MOVED);
        }
        plannerRole.notePoll(mail.planned(), standby && !leaving);
    }

    private void report() {
        Anchor under = anchor;
        if (under != null && !closed) {
            // A planner in this process can plan the departure as soon as the report is written.
            Runnable then = leaving ? plannerRole::planNow : () -> {};
            reportWriter.write(
                    under,
                    then,
                    new WorkerReport(
                            applied,
                            unitSlotServices.heldCount(),
                            unitSlots.waiting(),
                            workerSetup.capacity(),
                            leaving,
                            unitSlots.finished(),
                            unitSlots.failed()));
        }
    }

    @Override
    public CompletableFuture<Void> leave() {
        unitSlotServices.run(this::startLeaving);
        return left;
    }

    /**
     * Reports that it is leaving, and continues until the planner has assigned its units to others, which then wait for
     * them. If that takes too long, it stops its work anyway.
     */
    private void startLeaving() {
        if (leaving) {
            return;
        }
        leaving = true;
        joined.completeExceptionally(new IllegalStateException("closed before the worker had joined"));
        if (joining != null) {
            joining.cancel(false);
        }
        report();
        Duration deadline = workerSetup.options().closeDeadline();
        unitSlotServices.schedule(plannerWait(deadline), () -> unitSlots.stopAll(RevokeReason.CLOSING));
        unitSlotServices.schedule(deadline, this::leaveAtDeadline);
        finishIfEmpty();
    }

    /**
     * Returns how long to wait for the planner: half of the deadline, or less if stopping needs more than the other
     * half.
     */
    private Duration plannerWait(Duration deadline) {
        Duration half = deadline.dividedBy(2);
        Duration spare = deadline.minus(workerSetup.options().revokeDeadline());
        Duration plannerWait = spare.compareTo(half) < 0 ? spare : half;
        return plannerWait.isNegative() ? Duration.ZERO : plannerWait;
    }

    /**
     * Stops waiting. Only work that has not begun to stop, or is within its revoke deadline, keeps its unit and so the
     * anchor. Releasing such a unit would let two workers work on it.
     */
    private void leaveAtDeadline() {
        pastDeadline = true;
        workerHealth.lost("closed");
        unitSlots.stopAll(RevokeReason.CLOSING);
        finishIfEmpty();
        if (!closed) {
            left.complete(null);
        }
    }

    private void finishIfEmpty() {
        if (leaving && (unitSlots.allIdle() || (pastDeadline && !unitSlots.anyAtWork()))) {
            finish();
        }
    }

    private void finish() {
        if (closed) {
            return;
        }
        closed = true;
        pollTimer.stop();
        unitSlots.stopAll(RevokeReason.CLOSING);
        plannerRole.end();
        workerHealth.lost("closed");
        Anchor under = anchor;
        anchor = null;
        if (under == null) {
            left.complete(null);
            return;
        }
        Futures.whenDone(under.releaseAsync(), (released, error) -> {
            if (error != null) {
                unitSlotServices.reportTrouble("leaving; the worker's term ends by itself", Futures.cause(error));
            }
            left.complete(null);
        });
    }

    @Override
    public List<Unit> held() {
        return unitSlotServices.held();
    }

    @Override
    public FleetHealth health() {
        FleetHealth health = workerHealth.health();
        return health.isHealthy() ? unitSlotServices.health() : health;
    }

    @Override
    public boolean mayAcquire(String unit) {
        return mayStart() && !leaving && unitAcquirer.mayAcquire(unit);
    }

    @Override
    public boolean mayStart() {
        return anchor != null && anchor.isHeld() && !expiring && !closed;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(String unit) {
        return unitAcquirer.acquire(unit, Objects.requireNonNull(anchor));
    }

    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return StrayLeases.release(workerSetup.async(), workerSetup.names().unit(unit), anchor);
    }

    /**
     * The grant of a unit that was deleted meanwhile would recreate it. Such a grant is released instead, and the key
     * is no longer a unit.
     */
    @Override
    public boolean isUnit(Lease lease) {
        return lease.attributes().get(UnitAttributes.UNIT).isPresent()
                && !lease.attributes().bool(UnitAttributes.DELETING).orElse(false);
    }

    /** Does nothing: the anchor expires, not the unit. See {@link #anchorExpiring}. */
    @Override
    public void starting(UnitSlot unitSlot, Lease lease) {}

    @Override
    public void changed() {
        finishIfEmpty();
    }

    @Override
    public void reportNow() {
        report();
    }

    /** Long enough for the planner to read the report and assign the unit to another worker, if there is one. */
    @Override
    public Duration minBackoff() {
        return workerSetup
                .options()
                .poll()
                .plus(workerSetup.options().planEvery())
                .multipliedBy(3);
    }

    @Override
    public void forget(UnitSlot unitSlot) {
        unitSlots.forget(unitSlot);
        finishIfEmpty();
    }
}
