package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.fleet.internal.worker.StrayLeases;
import dev.holdfast.fleet.internal.worker.UnitSlotServices;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.support.Futures;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The part of a worker in planning: none, standby, or planner. Both planner and standby work in rounds; the rounds of a
 * standby only read the same entries. When no live planner is seen, standbys try at once to become the planner. Other
 * workers try one poll later.
 *
 * <p>Confined to the worker's {@link SerialExecutor}.
 */
public final class PlannerRole {
    /** A planner resigns when its rounds have failed for this many terms. */
    private static final int MAX_FAILED_TERMS = 3;

    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private final Runnable planned;
    private @Nullable Anchor anchor;
    private @Nullable FleetWatch fleetWatch;
    private @Nullable Planner planner;
    private HostEnvironment.@Nullable Timer nextRound;
    private boolean standby;
    private boolean contending;
    /**
     * True while an earlier planner of this worker is still releasing its leases. Contending meanwhile would lose a new
     * lease to that release.
     */
    private boolean releasing;

    private boolean inRound;
    private boolean roundRequested;
    private int missedPolls;
    private long lastSuccessNanos;
    private long contendAfterNanos;
    /** Grows with every join and leave, which invalidates the calls started before. */
    private long generation;

    /** @param planned called after each round in which this worker planned */
    public PlannerRole(WorkerSetup workerSetup, UnitSlotServices unitSlotServices, Runnable planned) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
        this.planned = planned;
        this.contendAfterNanos = unitSlotServices.nanos();
    }

    public void begin(Anchor newAnchor) {
        anchor = newAnchor;
        generation++;
        missedPolls = 1; // A new worker has not seen a planner, and need not poll twice to be sure.
        contendAfterDelay();
    }

    /**
     * Contends after a random part of a poll interval. After a deploy or an outage many workers join at the same
     * moment, and would otherwise all write to one entry at once. With the delay, most of them find a planner, which
     * costs only a read.
     */
    private void contendAfterDelay() {
        long thisGeneration = generation;
        long maxWait = workerSetup.options().poll().dividedBy(2).toNanos();
        Duration wait = Duration.ofNanos((long) (maxWait * workerSetup.runtime().random()));
        unitSlotServices.schedule(wait, () -> {
            if (thisGeneration == generation) {
                contend();
            }
        });
    }

    /** Ends the role: the anchor is lost or about to be released, and with it all leases held through it. */
    public void end() {
        anchor = null;
        generation++;
        fleetWatch = null;
        standby = false;
        releasing = false;
        stopPlanning();
    }

    boolean isPlanner() {
        return planner != null;
    }

    /** Processes the result of a poll. */
    public void notePoll(boolean plannerLives, boolean newStandby) {
        missedPolls = plannerLives ? 0 : missedPolls + 1;
        boolean becomesStandby = newStandby && !standby;
        standby = newStandby;
        if (planner == null && (missedPolls > 1 || (missedPolls == 1 && standby))) {
            contend();
        }
        if (becomesStandby && planner == null) {
            startRound();
        }
        if (!standby && planner == null) {
            fleetWatch = null;
        }
    }

    private void contend() {
        Anchor under = anchor;
        if (contending
                || releasing
                || under == null
                || planner != null
                || unitSlotServices.nanos() - contendAfterNanos < 0) {
            return;
        }
        contending = true;
        AcquireOptions options = AcquireOptions.defaults().under(under).holder(workerSetup.worker());
        long thisGeneration = generation;
        Futures.whenDone(
                ContainedCall.of(
                        () -> workerSetup.async().tryAcquire(workerSetup.names().planner(), options)),
                (result, error) -> unitSlotServices.run(() -> contended(result, error, thisGeneration)));
    }

    private void contended(@Nullable AcquireResult result, @Nullable Throwable error, long startedIn) {
        contending = false;
        Lease won = result == null ? null : result.granted().orElse(null);
        if (error != null) {
            unitSlotServices.reportTrouble("acquiring the planner's lease", Futures.cause(error));
        } else if (result instanceof AcquireResult.HeldByAnother held
                && held.holder().name().equals(workerSetup.worker())) {
            // Held by this worker: an earlier attempt got no response, or a release failed. Only this worker can end
            // that.
            releaseStray();
        } else if (won != null && startedIn == generation) {
            elected(won);
        } else if (won != null) {
            Futures.whenDone(won.releaseAsync(), (released, trouble) -> {});
        }
    }

    private void releaseStray() {
        Futures.whenDone(
                ContainedCall.of(() -> StrayLeases.release(
                        workerSetup.async(), workerSetup.names().planner(), anchor)),
                (nothing, error) -> {});
    }

    private void elected(Lease won) {
        Anchor under = Objects.requireNonNull(anchor);
        FleetWatch known = fleetWatch == null ? new FleetWatch(workerSetup) : fleetWatch;
        fleetWatch = known;
        planner = new Planner(workerSetup, unitSlotServices, under, won, known);
        lastSuccessNanos = unitSlotServices.nanos();
        won.onLost(reason -> unitSlotServices.run(() -> leaseLost(won)));
        unitSlotServices.notifyListener(() -> workerSetup.listener().onPlanner(true));
        startRound();
    }

    private void leaseLost(Lease lost) {
        Planner former = planner;
        if (former != null && former.lease() == lost) {
            stopPlanning();
            releaseAll(former, 1);
        }
    }

    private void stopPlanning() {
        if (planner != null) {
            planner = null;
            unitSlotServices.notifyListener(() -> workerSetup.listener().onPlanner(false));
        }
    }

    /** Plans now, or right after the current round. */
    public void planNow() {
        if (planner != null) {
            startRound();
        }
    }

    private void startRound() {
        FleetWatch watch = fleetWatch == null ? new FleetWatch(workerSetup) : fleetWatch;
        fleetWatch = watch;
        if (inRound) {
            roundRequested = true;
            return;
        }
        inRound = true;
        roundRequested = false;
        if (nextRound != null) {
            nextRound.cancel(); // Otherwise each requested round would add one more chain of scheduled rounds.
        }
        long thisGeneration = generation;
        Planner planning = planner;
        CompletionStage<Void> round =
                ContainedCall.of(() -> planning == null ? watch.refreshAsStandby() : planning.round());
        Futures.whenDone(
                round, (nothing, error) -> unitSlotServices.run(() -> roundEnded(planning, thisGeneration, error)));
    }

    private void roundEnded(@Nullable Planner planning, long startedIn, @Nullable Throwable error) {
        inRound = false;
        if (startedIn != generation || planning != planner) {
            // The round belongs to an earlier role. Another round may have been requested in the meantime.
            continueRounds(roundRequested);
            return;
        }
        if (error == null) {
            lastSuccessNanos = unitSlotServices.nanos();
            if (planning != null) {
                planned.run();
            }
        } else {
            unitSlotServices.reportTrouble(
                    planning == null ? "refreshing the standby planner" : "planning", Futures.cause(error));
            resignIfStuck(planning, Futures.cause(error));
        }
        continueRounds(roundRequested);
    }

    private void resignIfStuck(@Nullable Planner planning, Throwable error) {
        if (planning == null) {
            return;
        }
        long term = workerSetup.options().term().toNanos();
        boolean stuck = unitSlotServices.nanos() - lastSuccessNanos > MAX_FAILED_TERMS * term;
        if (stuck || (error instanceof LeaseLostException && !planning.lease().isHeld())) {
            contendAfterNanos = unitSlotServices.nanos() + 2 * term;
            stopPlanning();
            releaseAll(planning, 1);
        }
    }

    private void releaseAll(Planner former, int attempt) {
        long thisGeneration = generation;
        releasing = true;
        Futures.whenDone(
                former.releaseAll(),
                (nothing, error) -> unitSlotServices.run(() -> {
                    if (thisGeneration == generation && error == null) {
                        releasing = false;
                    } else if (thisGeneration == generation) {
                        unitSlotServices.reportTrouble("releasing the planner's leases", Futures.cause(error));
                        unitSlotServices.schedule(
                                workerSetup.options().backoff(attempt),
                                () -> retryRelease(former, attempt + 1, thisGeneration));
                    }
                }));
    }

    private void retryRelease(Planner former, int attempt, long startedIn) {
        if (startedIn == generation) {
            releaseAll(former, attempt);
        }
    }

    private void continueRounds(boolean now) {
        if (anchor == null || (planner == null && !standby)) {
            return;
        }
        if (now) {
            startRound();
            return;
        }
        long thisGeneration = generation;
        Planner current = planner;
        nextRound = unitSlotServices.schedule(workerSetup.options().planEvery(), () -> {
            if (thisGeneration == generation && current == planner && !inRound) {
                startRound();
            }
        });
    }
}
