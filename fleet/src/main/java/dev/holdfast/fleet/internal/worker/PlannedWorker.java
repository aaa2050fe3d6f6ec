package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Anchor;
import dev.holdfast.LostReason;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.execution.WorkerLoop;
import dev.holdfast.fleet.internal.planner.AssignmentPart;
import dev.holdfast.fleet.internal.planner.PlanRevision;
import dev.holdfast.fleet.internal.planner.PlannerRole;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.EmptyFleetCheck;
import dev.holdfast.fleet.internal.units.FleetClient;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a fleet with a planner. It holds an anchor, follows its assignment, and reports its progress. If it loses
 * its anchor, it loses its units too. Then it stops the work and joins again.
 *
 * <p>It drives its collaborators, and none of them calls back. Each of them keeps its news until the step ends:
 * {@link #stepEnded} collects them.
 */
public final class PlannedWorker implements FleetMember {
    /** The part of a poll interval by which polls vary, so that workers do not all poll at the same moment. */
    private static final double POLL_SPREAD = 0.2;

    private final FleetClient client;
    private final WorkerLoop workerLoop;
    private final CallbackRunner callbacks;
    private final int capacity;
    private final AnchoredUnits anchoredUnits;
    private final UnitSlots unitSlots;
    private final AssignmentReader assignmentReader;
    private final PlannerMessages plannerMessages;
    private final PlannerRole plannerRole;
    private final WorkerHealth workerHealth;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable CompletableFuture<Anchor> joining;
    private HostEnvironment.@Nullable Timer nextPoll;
    private PlanRevision newest = PlanRevision.NONE;
    private PlanRevision applied = PlanRevision.NONE;
    private boolean polling;
    private boolean pollRequested;
    private boolean leaving;
    private boolean pastDeadline;
    private boolean closed;
    private int failedJoins;

    /** @param capacity the maximum number of units that it takes */
    public PlannedWorker(
            FleetClient client,
            WorkerLoop workerLoop,
            CallbackRunner callbacks,
            int capacity,
            AssignmentStrategy strategy) {
        this.client = client;
        this.workerLoop = workerLoop;
        this.callbacks = callbacks;
        this.capacity = capacity;
        this.anchoredUnits = new AnchoredUnits(client, workerLoop);
        this.unitSlots = new UnitSlots(client, anchoredUnits, callbacks, workerLoop);
        this.assignmentReader = new AssignmentReader(client);
        this.plannerMessages = new PlannerMessages(client, workerLoop);
        this.plannerRole = new PlannerRole(client, strategy, workerLoop);
        this.workerHealth = new WorkerHealth(client);
        workerLoop.atStepEnd(this::stepEnded);
    }

    private void stepEnded() {
        for (String unit = anchoredUnits.takeQueued(); unit != null; unit = anchoredUnits.takeQueued()) {
            unitSlots.acquireIfDue(unit);
        }
        if (plannerRole.takeHasPlanned()) {
            pollNow();
        }
        if (unitSlots.takeReportRequest()) {
            report();
        }
        finishIfEmpty();
        callbacks.stepEnded();
    }

    @Override
    public CompletableFuture<Void> join() {
        workerLoop.run(this::requestAnchor);
        return joined;
    }

    private void requestAnchor() {
        if (!closed && !leaving) {
            joining = workerLoop.begin(
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
                workerLoop.reportTrouble("joining again", cause);
                workerLoop.schedule(client.options().backoff(++failedJoins), this::requestAnchor);
            }
            return;
        }
        if (leaving) {
            workerLoop.call(anchor::releaseAsync, (released, trouble) -> {});
            return;
        }
        failedJoins = 0;
        AnchoredLeases anchoredLeases = new AnchoredLeases(client.async(), anchor, client.worker());
        anchoredUnits.joined(anchoredLeases);
        plannerMessages.joined();
        workerHealth.joined();
        anchor.onLost(reason -> workerLoop.run(() -> anchorLost(anchor, reason)));
        anchor.onExpiring(
                client.options().term().dividedBy(3), () -> workerLoop.run(() -> anchorExpiring(anchor)));
        workerLoop.notifyListener(listener -> listener.onJoined(client.worker()));
        if (joined.complete(null)) {
            new EmptyFleetCheck(client, workerLoop).check();
        }
        plannerRole.begin(anchoredLeases);
        pollNow();
    }

    /** Two renewals have failed, so all work must stop before the term ends. */
    private void anchorExpiring(Anchor anchor) {
        if (anchoredUnits.anchor() == anchor) {
            anchoredUnits.expiring();
            unitSlots.interruptAll(RevokeReason.EXPIRING);
        }
    }

    private void anchorLost(Anchor anchor, LostReason reason) {
        if (anchoredUnits.anchor() != anchor) {
            return;
        }
        anchoredUnits.left();
        applied = PlanRevision.NONE;
        workerHealth.lost("out of the fleet: " + reason);
        plannerRole.end();
        unitSlots.stopAll(RevokeReason.LOST);
        workerLoop.notifyListener(listener -> listener.onLost(client.worker(), reason.toString()));
        requestAnchor();
    }

    /** Polls now, or right after the current poll. Otherwise the next poll follows after an interval. */
    private void pollNow() {
        if (polling) {
            pollRequested = true;
            return;
        }
        Anchor anchor = anchoredUnits.anchor();
        if (closed || anchor == null) {
            return; // A new anchor starts a poll by itself.
        }
        polling = true;
        pollRequested = false;
        if (nextPoll != null) {
            nextPoll.cancel();
        }
        anchoredUnits.noteRenewals(anchor);
        workerLoop.call(assignmentReader::read, (read, error) -> {
            if (anchoredUnits.anchor() == anchor) {
                polled(read, error);
            }
            pollAgain();
        });
    }

    private void pollAgain() {
        polling = false;
        if (closed) {
            return;
        }
        if (pollRequested) {
            pollNow();
            return;
        }
        double factor = 1 - POLL_SPREAD / 2 + POLL_SPREAD * client.runtime().random();
        Duration interval = Duration.ofNanos((long) (client.options().poll().toNanos() * factor));
        nextPoll = workerLoop.schedule(interval, this::pollNow);
    }

    private void polled(AssignmentReader.@Nullable AssignmentRead read, @Nullable Throwable error) {
        if (read == null) {
            workerLoop.reportTrouble("reading the assignment", error);
        } else {
            workerHealth.storeResponded();
            AssignmentPart assignment = read.whole();
            if (assignment != null) {
                follow(assignment);
            }
            plannerRole.notePoll(read.planned(), assignment != null && assignment.standby() && !leaving);
            plannerMessages.sendNoticeIfDue(read.planned());
        }
        unitSlots.acquireIfDue();
        report();
        workerHealth.checkPlannerIfDue();
    }

    private void follow(AssignmentPart assignment) {
        if (assignment.revision().compareTo(newest) >= 0
                && !assignment.revision().equals(applied)) {
            newest = assignment.revision();
            applied = newest;
            unitSlots.assignOnly(assignment.units(), leaving ? RevokeReason.CLOSING : RevokeReason.MOVED);
        }
    }

    private void report() {
        Anchor anchor = anchoredUnits.anchor();
        if (anchor != null) {
            WorkerReport report = new WorkerReport(
                    applied,
                    unitSlots.heldCount(),
                    unitSlots.waiting(),
                    capacity,
                    leaving,
                    unitSlots.finished(),
                    unitSlots.failed());
            // A planner in this process can plan the departure as soon as the report is written.
            plannerMessages.report(anchor, report, leaving ? plannerRole::planNow : () -> {});
        }
    }

    @Override
    public CompletableFuture<Void> leave() {
        workerLoop.run(this::startLeaving);
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
        workerLoop.schedule(plannerWait(deadline), () -> unitSlots.stopAll(RevokeReason.CLOSING));
        workerLoop.schedule(deadline, this::leaveAtDeadline);
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
        unitSlots.stopAll(RevokeReason.CLOSING);
        finishIfEmpty();
        if (!closed) {
            left.complete(null);
        }
    }

    private void finishIfEmpty() {
        if (leaving && !closed && (unitSlots.allIdle() || (pastDeadline && !unitSlots.anyAtWork()))) {
            finish();
        }
    }

    private void finish() {
        closed = true;
        if (nextPoll != null) {
            nextPoll.cancel();
        }
        unitSlots.stopAll(RevokeReason.CLOSING);
        plannerRole.end();
        workerHealth.lost("closed");
        Anchor anchor = anchoredUnits.anchor();
        anchoredUnits.left();
        if (anchor == null) {
            left.complete(null);
            return;
        }
        workerLoop.call(anchor::releaseAsync, (released, error) -> {
            if (error != null) {
                workerLoop.reportTrouble("leaving; the worker's term ends by itself", error);
            }
            left.complete(null);
        });
    }

    @Override
    public List<Unit> held() {
        return unitSlots.held();
    }

    @Override
    public FleetHealth health() {
        FleetHealth health = workerHealth.health();
        return health.isHealthy() ? callbacks.health() : health;
    }
}
