package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Anchor;
import dev.holdfast.LostReason;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.planner.PlanningRole;
import dev.holdfast.fleet.internal.reports.AssignmentPart;
import dev.holdfast.fleet.internal.reports.PlanRevision;
import dev.holdfast.fleet.internal.reports.WorkerProfile;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import dev.holdfast.fleet.internal.status.EmptyFleetCheck;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a fleet with a planner. It holds an anchor, follows its assignment, and reports its progress. If it loses
 * its anchor, it loses its units too. Then it stops the work and joins again.
 *
 * <p>It drives its collaborators, and none of them calls back. Each of them keeps its news until the step ends:
 * {@link #stepEnded} collects them.
 */
public final class PlannedWorker implements FleetParticipant {
    /** The part of a poll interval by which polls vary, so that workers do not all poll at the same moment. */
    private static final double POLL_SPREAD = 0.2;

    private final WorkerClient client;
    private final WorkerStepLoop stepLoop;
    private final WorkerProfile profile;
    private final LoadSampler loadSampler;
    private final AssignmentStrategy strategy;
    private final AnchoredUnits anchoredUnits;
    private final UnitSlotTable unitSlotTable;
    private final AssignmentReader assignmentReader;
    private final WorkerHealth workerHealth;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable CompletableFuture<Anchor> joining;
    /** Null while the worker is not in the fleet. */
    private @Nullable Membership membership;

    private HostEnvironment.@Nullable Timer nextPoll;
    private PlanRevision newest = PlanRevision.NONE;
    private PlanRevision applied = PlanRevision.NONE;
    private boolean polling;
    private boolean pollRequested;
    private boolean leaving;
    private boolean pastDeadline;
    private boolean closed;
    private int failedJoins;

    /** The place of the worker in the fleet, through one anchor. */
    private record Membership(Anchor anchor, PlanningRole role, PlannerMessages messages) {}

    /**
     * @param profile its capacity and labels
     * @param load measures the load of this worker; null if it reports none
     */
    public PlannedWorker(
            WorkerClient client,
            WorkerStepLoop stepLoop,
            CallbackRunner callbacks,
            WorkerProfile profile,
            @Nullable DoubleSupplier load,
            AssignmentStrategy strategy) {
        this.client = client;
        this.stepLoop = stepLoop;
        this.profile = profile;
        this.loadSampler = new LoadSampler(load, client.options().term());
        this.strategy = strategy;
        this.anchoredUnits = new AnchoredUnits(client, profile.labels());
        this.unitSlotTable = new UnitSlotTable(client, anchoredUnits, callbacks, stepLoop);
        this.assignmentReader = new AssignmentReader(client);
        this.workerHealth = new WorkerHealth(client, callbacks);
        stepLoop.atStepEnd(this::stepEnded);
        stepLoop.atStepEnd(callbacks::stepEnded);
    }

    private void stepEnded() {
        for (String unit = anchoredUnits.takeQueued(); unit != null; unit = anchoredUnits.takeQueued()) {
            unitSlotTable.acquireIfDue(unit);
        }
        if (membership != null && membership.role.takeHasPlanned()) {
            pollNow();
        }
        if (unitSlotTable.takeReportRequest()) {
            report();
        }
        finishIfEmpty();
    }

    @Override
    public CompletableFuture<Void> join() {
        stepLoop.run(this::requestAnchor);
        return joined;
    }

    private void requestAnchor() {
        if (!closed && !leaving) {
            joining = stepLoop.begin(
                    () -> client.async()
                            .anchor(
                                    client.layout().anchorHolder(client.worker()),
                                    client.options().term()),
                    this::anchorResolved);
        }
    }

    private void anchorResolved(@Nullable Anchor anchor, @Nullable Throwable error) {
        joining = null;
        if (anchor == null) {
            Throwable cause = Objects.requireNonNull(error);
            if (!joined.completeExceptionally(cause) && !leaving) {
                stepLoop.reportTrouble("joining again", cause);
                stepLoop.schedule(client.options().backoff(++failedJoins), this::requestAnchor);
            }
            return;
        }
        if (leaving) {
            stepLoop.call(anchor::releaseAsync, (released, trouble) -> {});
            return;
        }
        failedJoins = 0;
        AnchoredLeases anchoredLeases = new AnchoredLeases(client.async(), anchor, client.worker());
        Membership current = new Membership(
                anchor,
                new PlanningRole(client, strategy, stepLoop, anchoredLeases),
                new PlannerMessages(client, stepLoop, anchor));
        membership = current;
        anchoredUnits.joined(anchoredLeases);
        workerHealth.joined();
        anchor.onLost(reason -> stepLoop.run(() -> anchorLost(current, reason)));
        anchor.onExpiring(client.options().term().dividedBy(3), () -> stepLoop.run(() -> anchorExpiring(current)));
        stepLoop.notifyListener(listener -> listener.onJoined(client.worker()));
        if (joined.complete(null)) {
            new EmptyFleetCheck(client, stepLoop).check();
        }
        current.role.begin();
        pollNow();
    }

    /** Two renewals have failed, so all work must stop before the term ends. */
    private void anchorExpiring(Membership which) {
        if (which.equals(membership)) {
            anchoredUnits.expiring();
            unitSlotTable.interruptAll(RevokeReason.EXPIRING);
        }
    }

    private void anchorLost(Membership which, LostReason reason) {
        if (!which.equals(membership)) {
            return;
        }
        endMembership("out of the fleet: " + reason);
        applied = PlanRevision.NONE;
        unitSlotTable.stopAll(RevokeReason.LOST);
        stepLoop.notifyListener(listener -> listener.onLost(client.worker(), reason.toString()));
        requestAnchor();
    }

    private void endMembership(String reason) {
        workerHealth.lost(reason);
        anchoredUnits.left();
        if (membership != null) {
            membership.role.end();
            membership = null;
        }
    }

    /** Polls now, or right after the current poll. Otherwise the next poll follows after an interval. */
    private void pollNow() {
        if (polling) {
            pollRequested = true;
            return;
        }
        Membership current = membership;
        if (current == null) {
            return; // A new anchor starts a poll by itself.
        }
        polling = true;
        pollRequested = false;
        if (nextPoll != null) {
            nextPoll.cancel();
        }
        stepLoop.call(assignmentReader::read, (read, error) -> {
            if (current.equals(membership)) {
                polled(current, read, error);
            }
            pollAgain();
        });
    }

    private void pollAgain() {
        polling = false;
        if (pollRequested) {
            pollNow();
        } else if (membership != null) {
            double factor = 1 - POLL_SPREAD / 2 + POLL_SPREAD * client.runtime().random();
            Duration interval = Duration.ofNanos((long) (client.options().poll().toNanos() * factor));
            nextPoll = stepLoop.schedule(interval, this::pollNow);
        }
    }

    private void polled(Membership current, AssignmentReader.@Nullable AssignmentRead read, @Nullable Throwable error) {
        if (read == null) {
            stepLoop.reportTrouble("reading the assignment", error);
        } else {
            workerHealth.storeResponded();
            AssignmentPart assignment = read.whole();
            if (assignment != null) {
                follow(assignment);
            }
            current.role.notePoll(read.planned(), assignment != null && assignment.standby() && !leaving);
            current.messages.sendNoticeIfDue(read.planned());
        }
        unitSlotTable.acquireIfDue();
        report();
        workerHealth.checkPlannerIfDue();
    }

    private void follow(AssignmentPart assignment) {
        if (assignment.revision().compareTo(newest) >= 0
                && !assignment.revision().equals(applied)) {
            newest = assignment.revision();
            applied = newest;
            unitSlotTable.assignOnly(assignment.units(), leaving ? RevokeReason.CLOSING : RevokeReason.MOVED);
        }
    }

    private void report() {
        if (membership != null) {
            WorkerReport report = new WorkerReport(
                    applied,
                    unitSlotTable.heldCount(),
                    unitSlotTable.waiting(),
                    profile.withLoad(loadSampler.sample(client.nanos())),
                    leaving,
                    unitSlotTable.finished(),
                    unitSlotTable.failed());
            // A planner in this process can plan the departure as soon as the report is written.
            membership.messages.report(report, leaving ? membership.role::planNow : () -> {});
        }
    }

    @Override
    public CompletableFuture<Void> leave() {
        stepLoop.run(this::startLeaving);
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
        anchoredUnits.leaving();
        joined.completeExceptionally(new IllegalStateException("closed before the worker had joined"));
        if (joining != null) {
            joining.cancel(false);
        }
        report();
        Duration deadline = client.options().closeDeadline();
        stepLoop.schedule(plannerWait(deadline), () -> unitSlotTable.stopAll(RevokeReason.CLOSING));
        stepLoop.schedule(deadline, this::leaveAtDeadline);
    }

    /**
     * Returns how long to wait for the planner: half of the deadline, or less if stopping needs more than the other
     * half.
     */
    private Duration plannerWait(Duration deadline) {
        Duration half = deadline.dividedBy(2);
        Duration spare = deadline.minus(client.options().revokeDeadline());
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
        unitSlotTable.stopAll(RevokeReason.CLOSING);
        finishIfEmpty();
        if (!closed) {
            left.complete(null);
        }
    }

    private void finishIfEmpty() {
        if (leaving && !closed && (unitSlotTable.allIdle() || (pastDeadline && !unitSlotTable.anyAtWork()))) {
            finish();
        }
    }

    private void finish() {
        closed = true;
        if (nextPoll != null) {
            nextPoll.cancel();
        }
        unitSlotTable.stopAll(RevokeReason.CLOSING);
        Membership last = membership;
        endMembership("closed");
        if (last == null) {
            left.complete(null);
            return;
        }
        stepLoop.call(last.anchor::releaseAsync, (released, error) -> {
            if (error != null) {
                stepLoop.reportTrouble("leaving; the worker's term ends by itself", error);
            }
            left.complete(null);
        });
    }

    @Override
    public List<Unit> held() {
        return unitSlotTable.held();
    }

    @Override
    public FleetHealth health() {
        return workerHealth.health();
    }
}
