package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The part in planning of a worker with one anchor: none, standby, or planner. Both planner and standby work in rounds; the rounds of a
 * standby only read the same entries. When no live planner is seen, standbys try at once to become the planner. Other
 * workers try one poll later.
 *
 * <p>Confined to the worker's {@link WorkerStepLoop}.
 */
public final class PlanningRole {
    /** A planner resigns when its rounds have failed for this many terms. */
    private static final int MAX_FAILED_TERMS = 3;

    private final WorkerClient client;
    private final AssignmentStrategy strategy;
    private final WorkerStepLoop stepLoop;
    private final AnchoredLeases anchoredLeases;
    private @Nullable FleetObserver fleetObserver;
    private @Nullable FleetPlanner planner;
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
    private boolean hasPlanned;
    private boolean ended;
    private int missedPolls = 1; // A new worker has not seen a planner, and need not poll twice to be sure.
    private long lastSuccessNanos;
    private long contendAfterNanos;

    /**
     * @param strategy assigns the units while this worker is the planner
     * @param anchoredLeases the planner's lease and the assignments become such leases
     */
    public PlanningRole(
            WorkerClient client, AssignmentStrategy strategy, WorkerStepLoop stepLoop, AnchoredLeases anchoredLeases) {
        this.client = client;
        this.strategy = strategy;
        this.stepLoop = stepLoop;
        this.anchoredLeases = anchoredLeases;
        this.contendAfterNanos = client.nanos();
    }

    /**
     * Contends after a random part of a poll interval. After a deploy or an outage many workers join at the same
     * moment, and would otherwise all write to one entry at once. With the delay, most of them find a planner, which
     * costs only a read.
     */
    public void begin() {
        long maxWait = client.options().poll().dividedBy(2).toNanos();
        stepLoop.schedule(Duration.ofNanos((long) (maxWait * client.runtime().random())), this::contend);
    }

    /** Ends the role: the anchor is lost or about to be released, and with it all leases held through it. */
    public void end() {
        ended = true;
        stopPlanning();
    }

    /** Returns whether this worker has planned since the last call. */
    public boolean takeHasPlanned() {
        boolean planned = hasPlanned;
        hasPlanned = false;
        return planned;
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
            fleetObserver = null;
        }
    }

    private void contend() {
        if (contending || releasing || ended || planner != null || client.nanos() - contendAfterNanos < 0) {
            return;
        }
        contending = true;
        stepLoop.call(() -> anchoredLeases.tryAcquire(client.layout().planner()), this::contended);
    }

    private void contended(@Nullable AcquireResult result, @Nullable Throwable error) {
        contending = false;
        Lease won = result == null ? null : result.granted().orElse(null);
        if (error != null) {
            stepLoop.reportTrouble("acquiring the planner's lease", error);
        } else if (result instanceof AcquireResult.HeldByAnother held
                && held.holder().name().equals(client.worker())) {
            // Held by this worker: an earlier attempt got no response, or a release failed. Only this worker can end
            // that.
            stepLoop.call(() -> anchoredLeases.releaseStray(client.layout().planner()), (nothing, trouble) -> {});
        } else if (won != null && !ended) {
            elected(won);
        } else if (won != null) {
            stepLoop.call(won::releaseAsync, (released, trouble) -> {});
        }
    }

    private void elected(Lease won) {
        planner = new FleetPlanner(client, strategy, stepLoop, anchoredLeases, won, watch());
        lastSuccessNanos = client.nanos();
        won.onLost(reason -> stepLoop.run(() -> leaseLost(won)));
        stepLoop.notifyListener(listener -> listener.onPlanner(true));
        startRound();
    }

    private void leaseLost(Lease lost) {
        FleetPlanner former = planner;
        if (former != null && former.lease() == lost) {
            stopPlanning();
            releaseAll(former, 1);
        }
    }

    private void stopPlanning() {
        if (planner != null) {
            planner = null;
            stepLoop.notifyListener(listener -> listener.onPlanner(false));
        }
    }

    /** Plans now, or right after the current round. */
    public void planNow() {
        if (planner != null) {
            startRound();
        }
    }

    private FleetObserver watch() {
        FleetObserver watch = fleetObserver == null ? new FleetObserver(client) : fleetObserver;
        fleetObserver = watch;
        return watch;
    }

    private void startRound() {
        FleetObserver watch = watch();
        if (inRound) {
            roundRequested = true;
            return;
        }
        inRound = true;
        roundRequested = false;
        if (nextRound != null) {
            nextRound.cancel(); // Otherwise each requested round would add one more chain of scheduled rounds.
        }
        FleetPlanner planning = planner;
        stepLoop.call(
                () -> planning == null ? watch.refreshAsStandby() : planning.round(),
                (nothing, error) -> roundEnded(planning, error));
    }

    private void roundEnded(@Nullable FleetPlanner planning, @Nullable Throwable error) {
        inRound = false;
        if (ended || planning != planner) {
            // The round belongs to an earlier role. Another round may have been requested in the meantime.
            continueRounds(roundRequested);
            return;
        }
        if (error == null) {
            lastSuccessNanos = client.nanos();
            hasPlanned |= planning != null;
        } else {
            stepLoop.reportTrouble(planning == null ? "refreshing the standby planner" : "planning", error);
            resignIfStuck(planning, error);
        }
        continueRounds(roundRequested);
    }

    private void resignIfStuck(@Nullable FleetPlanner planning, Throwable error) {
        long term = client.options().term().toNanos();
        boolean stuck = client.nanos() - lastSuccessNanos > MAX_FAILED_TERMS * term;
        if (planning != null && (stuck || planning.isReplaced(error))) {
            contendAfterNanos = client.nanos() + 2 * term;
            stopPlanning();
            releaseAll(planning, 1);
        }
    }

    private void releaseAll(FleetPlanner former, int attempt) {
        if (ended) {
            return;
        }
        releasing = true;
        stepLoop.call(former::releaseAll, (nothing, error) -> {
            if (error == null) {
                releasing = false;
            } else if (!ended) {
                stepLoop.reportTrouble("releasing the planner's leases", error);
                stepLoop.schedule(client.options().backoff(attempt), () -> releaseAll(former, attempt + 1));
            }
        });
    }

    private void continueRounds(boolean now) {
        if (ended || (planner == null && !standby)) {
            return;
        }
        if (now) {
            startRound();
            return;
        }
        FleetPlanner current = planner;
        nextRound = stepLoop.schedule(client.options().planEvery(), () -> {
            if (!ended && current == planner && !inRound) {
                startRound();
            }
        });
    }
}
