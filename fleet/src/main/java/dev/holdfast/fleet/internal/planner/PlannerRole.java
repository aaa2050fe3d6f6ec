package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.internal.execution.WorkerLoop;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.FleetClient;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a worker in planning: none, standby, or planner. Both planner and standby work in rounds; the rounds of a
 * standby only read the same entries. When no live planner is seen, standbys try at once to become the planner. Other
 * workers try one poll later.
 *
 * <p>Confined to the worker's {@link WorkerLoop}.
 */
public final class PlannerRole {
    /** A planner resigns when its rounds have failed for this many terms. */
    private static final int MAX_FAILED_TERMS = 3;

    private final FleetClient client;
    private final AssignmentStrategy strategy;
    private final WorkerLoop workerLoop;
    private @Nullable AnchoredLeases anchoredLeases;
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
    private boolean hasPlanned;
    private int missedPolls;
    private long lastSuccessNanos;
    private long contendAfterNanos;
    /** Grows with every join and leave, which invalidates the calls started before. */
    private long generation;

    /** @param strategy assigns the units while this worker is the planner */
    public PlannerRole(FleetClient client, AssignmentStrategy strategy, WorkerLoop workerLoop) {
        this.client = client;
        this.strategy = strategy;
        this.workerLoop = workerLoop;
        this.contendAfterNanos = client.nanos();
    }

    public void begin(AnchoredLeases newLeases) {
        anchoredLeases = newLeases;
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
        long maxWait = client.options().poll().dividedBy(2).toNanos();
        Duration wait = Duration.ofNanos((long) (maxWait * client.runtime().random()));
        workerLoop.schedule(wait, () -> {
            if (thisGeneration == generation) {
                contend();
            }
        });
    }

    /** Ends the role: the anchor is lost or about to be released, and with it all leases held through it. */
    public void end() {
        anchoredLeases = null;
        generation++;
        fleetWatch = null;
        standby = false;
        releasing = false;
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
            fleetWatch = null;
        }
    }

    private void contend() {
        AnchoredLeases under = anchoredLeases;
        if (contending
                || releasing
                || under == null
                || planner != null
                || client.nanos() - contendAfterNanos < 0) {
            return;
        }
        contending = true;
        long thisGeneration = generation;
        workerLoop.call(
                () -> under.tryAcquire(client.layout().planner()),
                (result, error) -> contended(result, error, thisGeneration));
    }

    private void contended(@Nullable AcquireResult result, @Nullable Throwable error, long startedIn) {
        contending = false;
        Lease won = result == null ? null : result.lease().orElse(null);
        if (error != null) {
            workerLoop.reportTrouble("acquiring the planner's lease", error);
        } else if (result instanceof AcquireResult.HeldByAnother held
                && held.holder().name().equals(client.worker())) {
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
        AnchoredLeases under = anchoredLeases;
        if (under != null) {
            workerLoop.call(() -> under.releaseStray(client.layout().planner()), (nothing, error) -> {});
        }
    }

    private void elected(Lease won) {
        AnchoredLeases under = Objects.requireNonNull(anchoredLeases);
        planner = new Planner(client, strategy, workerLoop, under, won, watch());
        lastSuccessNanos = client.nanos();
        won.onLost(reason -> workerLoop.run(() -> leaseLost(won)));
        workerLoop.notifyListener(listener -> listener.onPlanner(true));
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
            workerLoop.notifyListener(listener -> listener.onPlanner(false));
        }
    }

    /** Plans now, or right after the current round. */
    public void planNow() {
        if (planner != null) {
            startRound();
        }
    }

    private FleetWatch watch() {
        FleetWatch watch = fleetWatch == null ? new FleetWatch(client) : fleetWatch;
        fleetWatch = watch;
        return watch;
    }

    private void startRound() {
        FleetWatch watch = watch();
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
        workerLoop.call(
                () -> planning == null ? watch.refreshAsStandby() : planning.round(),
                (nothing, error) -> roundEnded(planning, thisGeneration, error));
    }

    private void roundEnded(@Nullable Planner planning, long startedIn, @Nullable Throwable error) {
        inRound = false;
        if (startedIn != generation || planning != planner) {
            // The round belongs to an earlier role. Another round may have been requested in the meantime.
            continueRounds(roundRequested);
            return;
        }
        if (error == null) {
            lastSuccessNanos = client.nanos();
            hasPlanned |= planning != null;
        } else {
            workerLoop.reportTrouble(planning == null ? "refreshing the standby planner" : "planning", error);
            resignIfStuck(planning, error);
        }
        continueRounds(roundRequested);
    }

    private void resignIfStuck(@Nullable Planner planning, Throwable error) {
        if (planning == null) {
            return;
        }
        long term = client.options().term().toNanos();
        boolean stuck = client.nanos() - lastSuccessNanos > MAX_FAILED_TERMS * term;
        if (stuck || (error instanceof LeaseLostException && !planning.lease().isHeld())) {
            contendAfterNanos = client.nanos() + 2 * term;
            stopPlanning();
            releaseAll(planning, 1);
        }
    }

    private void releaseAll(Planner former, int attempt) {
        long thisGeneration = generation;
        releasing = true;
        workerLoop.call(former::releaseAll, (nothing, error) -> {
            if (thisGeneration != generation) {
                return;
            }
            if (error == null) {
                releasing = false;
                return;
            }
            workerLoop.reportTrouble("releasing the planner's leases", error);
            workerLoop.schedule(client.options().backoff(attempt), () -> {
                if (thisGeneration == generation) {
                    releaseAll(former, attempt + 1);
                }
            });
        });
    }

    private void continueRounds(boolean now) {
        if (anchoredLeases == null || (planner == null && !standby)) {
            return;
        }
        if (now) {
            startRound();
            return;
        }
        long thisGeneration = generation;
        Planner current = planner;
        nextRound = workerLoop.schedule(client.options().planEvery(), () -> {
            if (thisGeneration == generation && current == planner && !inRound) {
                startRound();
            }
        });
    }
}
