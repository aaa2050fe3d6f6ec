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
import dev.holdfast.internal.Futures;
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
    private static final int PATIENCE_TERMS = 3;

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
    private boolean lettingGo;

    private boolean inRound;
    private boolean again;
    private int missed;
    private long lastGoodNanos;
    private long restsUntilNanos;
    /** Grows with every join and leave, which invalidates the calls started before. */
    private long life;

    /** @param planned called after each round in which this worker planned */
    public PlannerRole(WorkerSetup workerSetup, UnitSlotServices unitSlotServices, Runnable planned) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
        this.planned = planned;
        this.restsUntilNanos = unitSlotServices.nanos();
    }

    public void begin(Anchor newAnchor) {
        anchor = newAnchor;
        life++;
        missed = 1; // A new worker has not seen a planner, and need not poll twice to be sure.
        contendSoon();
    }

    /**
     * Contends after a random part of a poll interval. After a deploy or an outage many workers join at the same
     * moment, and would otherwise all write to one entry at once. With the delay, most of them find a planner, which
     * costs only a read.
     */
    private void contendSoon() {
        long thisLife = life;
        long most = workerSetup.options().poll().dividedBy(2).toNanos();
        Duration wait = Duration.ofNanos((long) (most * workerSetup.runtime().random()));
        unitSlotServices.schedule(wait, () -> {
            if (thisLife == life) {
                contend();
            }
        });
    }

    /** Ends the role: the anchor is lost or about to be released, and with it all leases held through it. */
    public void end() {
        anchor = null;
        life++;
        fleetWatch = null;
        standby = false;
        lettingGo = false;
        retire();
    }

    boolean isPlanner() {
        return planner != null;
    }

    /** Notes what the worker read at its last poll. */
    public void see(boolean plannerLives, boolean newStandby) {
        missed = plannerLives ? 0 : missed + 1;
        boolean begins = newStandby && !standby;
        standby = newStandby;
        if (planner == null && (missed > 1 || (missed == 1 && standby))) {
            contend();
        }
        if (begins && planner == null) {
            startRound();
        }
        if (!standby && planner == null) {
            fleetWatch = null;
        }
    }

    private void contend() {
        Anchor under = anchor;
        if (contending
                || lettingGo
                || under == null
                || planner != null
                || unitSlotServices.nanos() - restsUntilNanos < 0) {
            return;
        }
        contending = true;
        AcquireOptions options = AcquireOptions.defaults().under(under).holder(workerSetup.worker());
        long thisLife = life;
        Futures.whenDone(
                ContainedCall.of(
                        () -> workerSetup.async().tryAcquire(workerSetup.names().planner(), options)),
                (result, error) -> unitSlotServices.run(() -> decided(result, error, thisLife)));
    }

    private void decided(@Nullable AcquireResult result, @Nullable Throwable error, long begunIn) {
        contending = false;
        Lease won = result == null ? null : result.lease().orElse(null);
        if (error != null) {
            unitSlotServices.trouble("contending for the plan", Futures.cause(error));
        } else if (result instanceof AcquireResult.Held held
                && held.holder().name().equals(workerSetup.worker())) {
            // Held by this worker: an earlier attempt got no response, or a release failed. Only this worker can end
            // that.
            reclaim();
        } else if (won != null && begunIn == life) {
            elected(won);
        } else if (won != null) {
            Futures.whenDone(won.releaseAsync(), (released, trouble) -> {});
        }
    }

    private void reclaim() {
        Futures.whenDone(
                ContainedCall.of(() ->
                        StrayLeases.of(workerSetup.async(), workerSetup.names().planner(), anchor)),
                (nothing, error) -> {});
    }

    private void elected(Lease won) {
        Anchor under = Objects.requireNonNull(anchor);
        FleetWatch known = fleetWatch == null ? new FleetWatch(workerSetup) : fleetWatch;
        fleetWatch = known;
        planner = new Planner(workerSetup, unitSlotServices, under, won, known);
        lastGoodNanos = unitSlotServices.nanos();
        won.onLost(reason -> unitSlotServices.run(() -> deposed(won)));
        unitSlotServices.tell(() -> workerSetup.listener().onPlanner(true));
        startRound();
    }

    private void deposed(Lease lost) {
        Planner deposed = planner;
        if (deposed != null && deposed.lease() == lost) {
            retire();
            letGo(deposed, 1);
        }
    }

    private void retire() {
        if (planner != null) {
            planner = null;
            unitSlotServices.tell(() -> workerSetup.listener().onPlanner(false));
        }
    }

    /** Plans now, or right after the current round. */
    public void kick() {
        if (planner != null) {
            startRound();
        }
    }

    private void startRound() {
        FleetWatch looking = fleetWatch == null ? new FleetWatch(workerSetup) : fleetWatch;
        fleetWatch = looking;
        if (inRound) {
            again = true;
            return;
        }
        inRound = true;
        again = false;
        if (nextRound != null) {
            nextRound.cancel(); // Otherwise each requested round would add one more chain of scheduled rounds.
        }
        long thisLife = life;
        Planner planning = planner;
        CompletionStage<Void> round = ContainedCall.of(() -> planning == null ? looking.standBy() : planning.round());
        Futures.whenDone(round, (nothing, error) -> unitSlotServices.run(() -> roundOver(planning, thisLife, error)));
    }

    private void roundOver(@Nullable Planner planning, long begunIn, @Nullable Throwable error) {
        inRound = false;
        if (begunIn != life || planning != planner) {
            // The round belongs to an earlier role. Another round may have been requested in the meantime.
            goOn(again);
            return;
        }
        if (error == null) {
            lastGoodNanos = unitSlotServices.nanos();
            if (planning != null) {
                planned.run();
            }
        } else {
            unitSlotServices.trouble(planning == null ? "standing by to plan" : "planning", Futures.cause(error));
            giveUpIfHopeless(planning, Futures.cause(error));
        }
        goOn(again);
    }

    private void giveUpIfHopeless(@Nullable Planner planning, Throwable error) {
        if (planning == null) {
            return;
        }
        long term = workerSetup.options().term().toNanos();
        boolean stuck = unitSlotServices.nanos() - lastGoodNanos > PATIENCE_TERMS * term;
        if (stuck || (error instanceof LeaseLostException && !planning.lease().isHeld())) {
            restsUntilNanos = unitSlotServices.nanos() + 2 * term;
            retire();
            letGo(planning, 1);
        }
    }

    private void letGo(Planner former, int attempt) {
        long thisLife = life;
        lettingGo = true;
        Futures.whenDone(
                former.letGo(),
                (nothing, error) -> unitSlotServices.run(() -> {
                    if (thisLife == life && error == null) {
                        lettingGo = false;
                    } else if (thisLife == life) {
                        unitSlotServices.trouble("leaving the plan to others", Futures.cause(error));
                        unitSlotServices.schedule(
                                workerSetup.options().backoff(attempt),
                                () -> letGoAgain(former, attempt + 1, thisLife));
                    }
                }));
    }

    private void letGoAgain(Planner former, int attempt, long begunIn) {
        if (begunIn == life) {
            letGo(former, attempt);
        }
    }

    private void goOn(boolean now) {
        if (anchor == null || (planner == null && !standby)) {
            return;
        }
        if (now) {
            startRound();
            return;
        }
        long thisLife = life;
        Planner current = planner;
        nextRound = unitSlotServices.schedule(workerSetup.options().planEvery(), () -> {
            if (thisLife == life && current == planner && !inRound) {
                startRound();
            }
        });
    }
}
