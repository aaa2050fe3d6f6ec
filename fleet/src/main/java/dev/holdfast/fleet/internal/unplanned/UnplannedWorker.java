package dev.holdfast.fleet.internal.unplanned;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.status.EmptyFleetCheck;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.fleet.internal.worker.FleetParticipant;
import dev.holdfast.fleet.internal.worker.UnitLeaseSource;
import dev.holdfast.fleet.internal.worker.UnitSlotTable;
import dev.holdfast.fleet.internal.worker.WorkerHealth;
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
public final class UnplannedWorker implements FleetParticipant, UnitLeaseSource {
    private final WorkerClient client;
    private final WorkerStepLoop stepLoop;
    private final int capacity;
    private final UnitSlotTable unitSlotTable;
    private final WorkerHealth workerHealth;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    /** Units that this worker has decided to take and has not requested yet. */
    private final Set<String> claims = new HashSet<>();

    private boolean leaving;
    private long takeAfterNanos;

    /** @param capacity the maximum number of units that it takes */
    public UnplannedWorker(WorkerClient client, WorkerStepLoop stepLoop, CallbackRunner callbacks, int capacity) {
        this.client = client;
        this.stepLoop = stepLoop;
        this.capacity = capacity;
        this.unitSlotTable = new UnitSlotTable(client, this, callbacks, stepLoop);
        this.workerHealth = new WorkerHealth(client, callbacks);
        this.takeAfterNanos = client.nanos();
        stepLoop.atStepEnd(this::stepEnded);
        stepLoop.atStepEnd(callbacks::stepEnded);
    }

    private void stepEnded() {
        if (leaving && unitSlotTable.isEmpty()) {
            left.complete(null);
        }
    }

    @Override
    public CompletableFuture<Void> join() {
        stepLoop.run(this::list);
        return joined;
    }

    private void list() {
        if (leaving) {
            return;
        }
        View view = new View();
        stepLoop.call(
                () -> PagedKeyListing.over(client.async(), client.layout().unitFilter(), view::add),
                (nothing, error) -> listed(view, error));
    }

    /** The result of a listing. */
    private final class View {
        private final List<String> free = new ArrayList<>();
        private final Map<String, String> holders = new HashMap<>();
        private boolean any;

        void add(LeaseStatus status) {
            if (!client.layout().isUnit(status)) {
                return;
            }
            any = true;
            if (status.isHeld()) {
                holders.put(
                        status.key().name(), status.holder().map(Holder::name).orElse(""));
            } else if (status.state() != LeaseState.DONE) {
                free.add(status.key().name());
            }
        }
    }

    private void listed(View view, @Nullable Throwable error) {
        if (error != null) {
            if (joined.completeExceptionally(error)) {
                leaving = true;
                return;
            }
            stepLoop.reportTrouble("listing the units", error);
        } else {
            if (joined.complete(null)) {
                workerHealth.joined();
                stepLoop.notifyListener(listener -> listener.onJoined(client.worker()));
                if (!view.any) {
                    new EmptyFleetCheck(client, stepLoop).report();
                }
            }
            workerHealth.storeRespondedAndPlanned();
            unitSlotTable.checkHeld(unit -> client.worker().equals(view.holders.get(unit)));
            takeShare(view);
        }
        Duration lookEvery = client.options().lookEvery();
        Duration planEvery = client.options().planEvery();
        stepLoop.schedule(
                Duration.ofNanos(jittered(lookEvery.compareTo(planEvery) < 0 ? lookEvery : planEvery)), this::list);
    }

    /**
     * Adds jitter, so that workers that started together do not all list, and want the same units, at the same moment.
     */
    private long jittered(Duration every) {
        return (long) (every.toNanos() * (0.9 + 0.2 * client.runtime().random()));
    }

    /**
     * Takes units, but not after every listing: the state needs time to change after a worker was stolen from or has
     * died.
     */
    private void takeShare(View view) {
        if (leaving || client.nanos() - takeAfterNanos < 0) {
            return;
        }
        takeAfterNanos = client.nanos() + jittered(client.options().planEvery());
        unitSlotTable.dropIdle(RevokeReason.MOVED);
        view.free.removeIf(unitSlotTable::has);
        int stealMost = Math.max(1, client.options().maxMoves());
        FairShareRules.Limits limits = new FairShareRules.Limits(unitSlotTable.size(), capacity, stealMost);
        Random random = new Random((long) (client.runtime().random() * Long.MAX_VALUE));
        FairShareRules share = FairShareRules.decide(view.free, view.holders, client.worker(), limits, random);
        share.take().forEach(this::take);
        share.steal().forEach(this::steal);
    }

    private void take(String unit) {
        if (!leaving) {
            claims.add(unit);
            unitSlotTable.assign(unit);
        }
    }

    private void steal(String unit) {
        String reason =
                client.worker() + " takes its share of fleet " + client.layout().fleet();
        stepLoop.call(() -> client.async().evict(client.layout().unit(unit), reason), (result, error) -> {
            if (result instanceof EditResult.Changed) {
                take(unit);
            } else if (error != null) {
                stepLoop.reportTrouble("stealing " + unit, error);
            }
        });
    }

    @Override
    public CompletableFuture<Void> leave() {
        stepLoop.run(() -> {
            if (!leaving) {
                leaving = true;
                workerHealth.lost("closed");
                stepLoop.schedule(client.options().closeDeadline(), () -> left.complete(null));
                unitSlotTable.stopAll(RevokeReason.CLOSING);
            }
        });
        return left;
    }

    @Override
    public List<Unit> held() {
        return unitSlotTable.held();
    }

    @Override
    public FleetHealth health() {
        return workerHealth.health();
    }

    @Override
    public @Nullable CompletableFuture<AcquireResult> acquire(String unit) {
        if (!claims.remove(unit)) {
            return null;
        }
        AcquireOptions options =
                AcquireOptions.defaults().term(client.options().term()).holder(client.worker());
        return Futures.contain(() ->
                client.async().tryAcquire(client.layout().unit(unit), options).toCompletableFuture());
    }

    @Override
    public GrantVerdict judge(Lease lease) {
        return leaving ? GrantVerdict.RELEASE : GrantVerdict.START_WORK;
    }

    /** Does nothing: the lease is not renewed, so it expires by itself. */
    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return CompletableFuture.completedFuture(null);
    }

    /** Other workers take the unit when its term is over, so work on it must have stopped by then. */
    @Override
    public Duration stopBeforeEnd() {
        return client.options().term().dividedBy(3);
    }

    @Override
    public Duration minBackoff() {
        return Duration.ZERO;
    }
}
