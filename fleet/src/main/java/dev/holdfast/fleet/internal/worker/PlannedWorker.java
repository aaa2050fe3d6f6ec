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
import dev.holdfast.internal.Futures;
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
    private boolean gone;
    private int failedJoins;

    public PlannedWorker(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = new UnitSlotServices(workerSetup, this);
        this.unitSlots = new UnitSlots(unitSlotServices);
        this.assignmentReader = new AssignmentReader(workerSetup);
        this.reportWriter = new ReportWriter(unitSlotServices);
        this.joinNotice = new JoinNotice(workerSetup, unitSlotServices);
        this.pollTimer = new PollTimer(unitSlotServices, this::look);
        this.plannerRole = new PlannerRole(workerSetup, unitSlotServices, pollTimer::now);
        this.workerHealth = new WorkerHealth(workerSetup);
        this.plannerCheck = new PlannerCheck(workerSetup, workerHealth);
        this.unitAcquirer = new UnitAcquirer(workerSetup, unitSlotServices, unitSlots::goOn);
    }

    @Override
    public CompletableFuture<Void> join() {
        unitSlotServices.run(this::askForAnchor);
        return joined;
    }

    private void askForAnchor() {
        if (gone || leaving) {
            return;
        }
        CompletableFuture<Anchor> asked = ContainedCall.of(() -> workerSetup
                .async()
                .anchor(
                        workerSetup.names().anchorHolder(workerSetup.worker()),
                        workerSetup.options().term()));
        joining = asked;
        Futures.whenDone(asked, (got, error) -> unitSlotServices.run(() -> anchored(got, error)));
    }

    private void anchored(@Nullable Anchor got, @Nullable Throwable error) {
        joining = null;
        if (got == null) {
            Throwable cause = Futures.cause(Objects.requireNonNull(error));
            if (!joined.completeExceptionally(cause) && !leaving) {
                unitSlotServices.trouble("joining again", cause);
                Duration rest = workerSetup.options().backoff(++failedJoins);
                unitSlotServices.schedule(rest, this::askForAnchor);
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
        unitSlotServices.tell(() -> workerSetup.listener().onJoined(workerSetup.worker()));
        if (joined.complete(null)) {
            new EmptyFleetCheck(workerSetup, unitSlotServices).look();
        }
        plannerRole.begin(got);
        pollTimer.now();
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
        unitSlotServices.tell(() -> workerSetup.listener().onLost(workerSetup.worker(), reason.toString()));
        if (leaving) {
            finishIfEmpty();
        } else {
            askForAnchor();
        }
    }

    private CompletionStage<Void> look() {
        Anchor under = anchor;
        if (under == null) {
            return CompletableFuture.completedFuture(null); // A new anchor starts a poll by itself.
        }
        if (expiring && under.remaining().compareTo(workerSetup.options().term().dividedBy(2)) > 0) {
            expiring = false;
        }
        CompletableFuture<Void> seen = new CompletableFuture<>();
        Futures.whenDone(
                ContainedCall.of(assignmentReader::read),
                (mail, error) -> unitSlotServices.run(() -> {
                    seen.complete(null);
                    if (anchor == under) {
                        looked(mail, error);
                    }
                }));
        return seen;
    }

    private void looked(AssignmentReader.@Nullable Mail mail, @Nullable Throwable error) {
        if (mail == null) {
            unitSlotServices.trouble("looking for units", error == null ? null : Futures.cause(error));
        } else {
            workerHealth.answered();
            follow(mail);
            joinNotice.giveIfDue(mail.planned());
        }
        unitSlots.goOn();
        report();
        finishIfEmpty();
        plannerCheck.lookIfDue();
    }

    private void follow(AssignmentReader.Mail mail) {
        AssignmentReader.Assigned assigned = mail.assigned();
        boolean standby = assigned != null && assigned.standby();
        if (assigned != null
                && assigned.revision().compareTo(newest) >= 0
                && !assigned.revision().equals(applied)) {
            newest = assigned.revision();
            applied = newest;
            unitSlots.want(assigned.units(), leaving ? RevokeReason.CLOSING : RevokeReason.MOVED);
        }
        plannerRole.see(mail.planned(), standby && !leaving);
    }

    private void report() {
        Anchor under = anchor;
        if (under != null && !gone) {
            // A planner in this process can plan the departure as soon as the report is written.
            Runnable then = leaving ? plannerRole::kick : () -> {};
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
                            unitSlots.resting()));
        }
    }

    @Override
    public CompletableFuture<Void> leave() {
        unitSlotServices.run(this::beginToLeave);
        return left;
    }

    /**
     * Reports that it is leaving, and continues until the planner has assigned its units to others, which then wait for
     * them. If that takes too long, it stops its work anyway.
     */
    private void beginToLeave() {
        if (leaving) {
            return;
        }
        leaving = true;
        joined.completeExceptionally(new IllegalStateException("closed before it had joined"));
        if (joining != null) {
            joining.cancel(false);
        }
        report();
        Duration most = workerSetup.options().closeDeadline();
        unitSlotServices.schedule(patience(most), () -> unitSlots.stopAll(RevokeReason.CLOSING));
        unitSlotServices.schedule(most, this::leaveLate);
        finishIfEmpty();
    }

    /**
     * Returns how long to wait for the planner: half of the deadline, or less if stopping needs more than the other
     * half.
     */
    private Duration patience(Duration most) {
        Duration half = most.dividedBy(2);
        Duration spare = most.minus(workerSetup.options().revokeDeadline());
        Duration patience = spare.compareTo(half) < 0 ? spare : half;
        return patience.isNegative() ? Duration.ZERO : patience;
    }

    /**
     * Stops waiting. Only work that has not begun to stop, or is within its revoke deadline, keeps its unit and so the
     * anchor. Releasing such a unit would let two workers work on it.
     */
    private void leaveLate() {
        pastDeadline = true;
        workerHealth.lost("closed");
        unitSlots.stopAll(RevokeReason.CLOSING);
        finishIfEmpty();
        if (!gone) {
            left.complete(null);
        }
    }

    private void finishIfEmpty() {
        if (leaving && (unitSlots.areIdle() || (pastDeadline && !unitSlots.areAtWork()))) {
            finish();
        }
    }

    private void finish() {
        if (gone) {
            return;
        }
        gone = true;
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
                unitSlotServices.trouble("leaving; the worker's term ends by itself", Futures.cause(error));
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
    public boolean mayAsk(String unit) {
        return mayStart() && !leaving && unitAcquirer.mayAsk(unit);
    }

    @Override
    public boolean mayStart() {
        return anchor != null && anchor.isHeld() && !expiring && !gone;
    }

    @Override
    public CompletionStage<AcquireResult> ask(String unit) {
        return unitAcquirer.ask(unit, Objects.requireNonNull(anchor));
    }

    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return StrayLeases.of(workerSetup.async(), workerSetup.names().unit(unit), anchor);
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
    public void urgent() {
        report();
    }

    /** Long enough for the planner to read the report and assign the unit to another worker, if there is one. */
    @Override
    public Duration leastRest() {
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
