package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.planner.EmptyFleetCheck;
import dev.holdfast.fleet.internal.units.ContainedCall;
import dev.holdfast.fleet.internal.units.PagedListing;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A worker of a fleet without a planner. It lists all units and takes its share by itself. */
public final class UnplannedWorker implements FleetMember, UnitSlotServices.Terms {
    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private final UnitSlots unitSlots;
    private final WorkerHealth workerHealth;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    /** Units that this worker has decided to take and has not requested yet. */
    private final Set<String> claims = new HashSet<>();

    private boolean leaving;
    private long takeAfterNanos;

    public UnplannedWorker(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = new UnitSlotServices(workerSetup, this);
        this.unitSlots = new UnitSlots(unitSlotServices);
        this.workerHealth = new WorkerHealth(workerSetup);
        this.takeAfterNanos = workerSetup.runtime().nanos();
    }

    @Override
    public CompletableFuture<Void> join() {
        unitSlotServices.run(this::list);
        return joined;
    }

    private void list() {
        if (leaving) {
            return;
        }
        View view = new View();
        LeaseFilter units = LeaseFilter.namespacePrefix(workerSetup.names().units());
        CompletionStage<Void> listing =
                ContainedCall.of(() -> PagedListing.over(workerSetup.async(), units, view::add));
        Futures.whenDone(listing, (nothing, error) -> unitSlotServices.run(() -> listed(view, error)));
    }

    /** The result of a listing. */
    private final class View {
        private final List<String> free = new ArrayList<>();
        private final Map<String, String> holders = new HashMap<>();
        private boolean any;

        void add(LeaseStatus status) {
            boolean exists =
                    status.key().namespace().equals(workerSetup.names().units()) && !UnplannedUnits.isDeleted(status);
            boolean unit = exists && status.state() != LeaseState.DONE;
            any |= exists;
            if (unit && status.isHeld()) {
                holders.put(
                        status.key().name(), status.holder().map(Holder::name).orElse(""));
            } else if (unit) {
                free.add(status.key().name());
            }
        }
    }

    private void listed(View view, @Nullable Throwable error) {
        if (error != null) {
            Throwable cause = Futures.cause(error);
            if (joined.completeExceptionally(cause)) {
                leaving = true;
                left.complete(null);
                return;
            }
            unitSlotServices.reportTrouble("listing the units", cause);
        } else {
            if (joined.complete(null)) {
                workerHealth.joined();
                unitSlotServices.notifyListener(() -> workerSetup.listener().onJoined(workerSetup.worker()));
                if (!view.any) {
                    new EmptyFleetCheck(workerSetup, unitSlotServices).report();
                }
            }
            workerHealth.storeRespondedAndPlanned();
            unitSlots.checkHeld(unit -> workerSetup.worker().equals(view.holders.get(unit)));
            takeShare(view);
        }
        Duration lookEvery = workerSetup.options().lookEvery();
        Duration planEvery = workerSetup.options().planEvery();
        unitSlotServices.schedule(
                Duration.ofNanos(jittered(lookEvery.compareTo(planEvery) < 0 ? lookEvery : planEvery)), this::list);
    }

    /**
     * Adds jitter, so that workers that started together do not all list, and want the same units, at the same moment.
     */
    private long jittered(Duration every) {
        return (long) (every.toNanos() * (0.9 + 0.2 * workerSetup.runtime().random()));
    }

    /**
     * Takes units, but not after every listing: the state needs time to change after a worker was stolen from or has
     * died.
     */
    private void takeShare(View view) {
        if (leaving || unitSlotServices.nanos() - takeAfterNanos < 0) {
            return;
        }
        takeAfterNanos =
                unitSlotServices.nanos() + jittered(workerSetup.options().planEvery());
        unitSlots.dropIdle(RevokeReason.MOVED);
        view.free.removeIf(unitSlots::has);
        int stealMost = Math.max(1, workerSetup.options().maxMoves());
        ShareRules.Limits limits = new ShareRules.Limits(unitSlots.size(), workerSetup.capacity(), stealMost);
        Random random = new Random((long) (workerSetup.runtime().random() * Long.MAX_VALUE));
        ShareRules shareRules = ShareRules.decide(view.free, view.holders, workerSetup.worker(), limits, random);
        shareRules.take().forEach(this::take);
        shareRules.steal().forEach(this::steal);
    }

    private void take(String unit) {
        if (!leaving) {
            claims.add(unit);
            unitSlots.assign(unit);
        }
    }

    private void steal(String unit) {
        String reason = workerSetup.worker() + " takes its share of fleet "
                + workerSetup.names().fleet();
        Futures.whenDone(
                ContainedCall.of(
                        () -> workerSetup.async().evict(workerSetup.names().unit(unit), reason)),
                (result, error) -> unitSlotServices.run(() -> {
                    if (result instanceof EditResult.Changed) {
                        take(unit);
                    } else if (error != null) {
                        unitSlotServices.reportTrouble("stealing " + unit, Futures.cause(error));
                    }
                }));
    }

    @Override
    public CompletableFuture<Void> leave() {
        unitSlotServices.run(() -> {
            if (!leaving) {
                leaving = true;
                workerHealth.lost("closed");
                unitSlotServices.schedule(workerSetup.options().closeDeadline(), () -> left.complete(null));
                unitSlots.stopAll(RevokeReason.CLOSING);
                changed();
            }
        });
        return left;
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
        return claims.contains(unit);
    }

    @Override
    public boolean mayStart() {
        return !leaving;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(String unit) {
        claims.remove(unit);
        AcquireOptions options =
                AcquireOptions.defaults().term(workerSetup.options().term()).holder(workerSetup.worker());
        return workerSetup.async().tryAcquire(workerSetup.names().unit(unit), options);
    }

    /** Does nothing: the lease is not renewed, so it expires by itself. */
    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isUnit(Lease lease) {
        return true;
    }

    /** Other workers take the unit when its term is over, so work on it must have stopped by then. */
    @Override
    public void starting(UnitSlot unitSlot, Lease lease) {
        lease.onExpiring(
                workerSetup.options().term().dividedBy(3), () -> unitSlotServices.run(() -> unitSlot.expiring(lease)));
    }

    @Override
    public void changed() {
        if (leaving && unitSlots.isEmpty()) {
            left.complete(null);
        }
    }

    @Override
    public void reportNow() {}

    @Override
    public Duration minBackoff() {
        return Duration.ZERO;
    }

    @Override
    public void forget(UnitSlot unitSlot) {
        unitSlots.forget(unitSlot);
        changed();
    }
}
