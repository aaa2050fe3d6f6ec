package dev.holdfast.fleet.internal.planner;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.reports.PlanRevision;
import dev.holdfast.fleet.internal.reports.PlannerReport;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The planner of a fleet, active while this worker holds the planner's lease. In each round it reads the live workers
 * and the units, calls the strategy, and writes a new sheet for each worker with changed units.
 *
 * <p>A round that fails half-way is harmless. A sheet only states which units a worker should have; the lease of the
 * unit decides which worker may work on it. The next round continues from the sheets that were written.
 *
 * <p>Only one round runs at a time, and only the round accesses the fields it uses.
 */
final class FleetPlanner {
    private final WorkerClient client;
    private final AssignmentStrategy strategy;
    private final WorkerStepLoop stepLoop;
    private final AnchoredLeases anchoredLeases;
    private final Lease lease;
    private final FleetObserver fleetObserver;
    private final PlacementHistory history;
    private final MoveOrders moveOrders;
    private final Map<String, AssignmentSheet> sheets = new ConcurrentSkipListMap<>();
    private long number;
    private volatile long plannedVersion = -1;
    private boolean unsettled;
    private PlanSummary summary = PlanSummary.NONE;
    private boolean usesLoads;

    /**
     * @param anchoredLeases of this worker; the sheets become such leases
     * @param lease the planner's lease
     */
    FleetPlanner(
            WorkerClient client,
            AssignmentStrategy strategy,
            WorkerStepLoop stepLoop,
            AnchoredLeases anchoredLeases,
            Lease lease,
            FleetObserver fleetObserver) {
        this.client = client;
        this.strategy = strategy;
        this.stepLoop = stepLoop;
        this.anchoredLeases = anchoredLeases;
        this.lease = lease;
        this.fleetObserver = fleetObserver;
        this.history = new PlacementHistory(client.options());
        this.moveOrders = new MoveOrders(client, fleetObserver, history);
    }

    /** Reads workers and units, plans, writes the sheets, and publishes that it planned. */
    CompletionStage<Void> round() {
        return fleetObserver
                .refresh()
                .thenCompose(nothing -> ConcurrentCalls.over(fleetObserver.vanished(), this::removeWorker))
                .thenCompose(nothing -> openSheets())
                .thenCompose(nothing -> fleetObserver.catalog().deleteMarked())
                .thenCompose(nothing -> moveOrders.deleteOver())
                .thenCompose(nothing -> plan())
                .thenCompose(nothing -> publish());
    }

    /**
     * Deletes the anchor of a worker that stopped renewing. The planner has watched that anchor longest, so it decides
     * once for all workers. Workers that take over its units then need not observe the anchor for a term of their own.
     */
    private CompletionStage<Void> removeWorker(String worker) {
        return fleetObserver.deleteAnchor(worker).thenCompose(isGone -> {
            if (!isGone) {
                // The next refresh finds the worker alive.
                throw new IllegalStateException(worker + " has returned");
            }
            plannedVersion = -1;
            AssignmentSheet sheet = sheets.get(worker);
            CompletionStage<Void> deleted = sheet == null ? CompletableFuture.completedFuture(null) : sheet.delete();
            // Only after the deletion: a new worker of this name that finds the sheet assumes that the planner knows
            // it.
            return deleted.thenRun(() -> {
                sheets.remove(worker);
                fleetObserver.forgetVanished(worker);
            });
        });
    }

    /**
     * Opens the missing sheets. All must be open before planning, or the planner would not know the owners of the
     * units.
     */
    private CompletionStage<Void> openSheets() {
        List<String> missing = fleetObserver.members().stream()
                .map(FleetObserver.WatchedWorker::name)
                .filter(name -> !sheets.containsKey(name))
                .toList();
        return ConcurrentCalls.over(
                missing,
                name -> AssignmentSheet.open(anchoredLeases, client.layout(), name)
                        .thenAccept(sheet -> {
                            sheets.put(name, sheet);
                            plannedVersion = -1;
                        }));
    }

    private CompletionStage<Void> plan() {
        long now = client.nanos();
        noteReports(now);
        history.dropSettled(fleetObserver, now);
        boolean unchanged = inputVersion() == plannedVersion && !unsettled && !history.hasFailures();
        if (unchanged || isTooEarly()) {
            return CompletableFuture.completedFuture(null);
        }
        // The version counts as planned only after the write. If the strategy or a write fails, the next round tries
        // again.
        long version = inputVersion();
        ControlState orders = fleetObserver.orders().state();
        SituationTable situation = new SituationTable(
                fleetObserver.members(),
                fleetObserver.catalog().assignable(orders.paused()::containsKey),
                sheets.values(),
                history,
                orders,
                now);
        PlanProposal proposal = PlanProposal.of(situation, strategy, movesAllowed());
        unsettled = proposal.postponed() > 0;
        summary = PlanSummary.of(fleetObserver, proposal);
        usesLoads = situation.usesLoads();
        return write(proposal).thenRun(() -> {
            plannedVersion = version;
            stepLoop.notifyListener(listener -> listener.onPlanned(
                    proposal.placed(), proposal.moved(), proposal.unplaced().size()));
        });
    }

    /** Loads change all the time. They are a reason to plan again only for a strategy that uses them. */
    private long inputVersion() {
        return fleetObserver.version() + (usesLoads ? fleetObserver.loadVersion() : 0);
    }

    private void noteReports(long now) {
        for (FleetObserver.WatchedWorker worker : fleetObserver.members()) {
            AssignmentSheet sheet = sheets.get(worker.name());
            if (sheet != null && worker.report().applied().compareTo(sheet.revision()) >= 0) {
                worker.report().done().stream()
                        .filter(sheet.units()::contains)
                        .forEach(fleetObserver.catalog()::finish);
                worker.report().failed().stream()
                        .filter(sheet.units()::contains)
                        .filter(unit -> history.mayHave(worker.name(), unit, now))
                        .forEach(unit -> history.recordFailure(unit, worker.name(), now));
            }
        }
    }

    /**
     * Delays the first plan of a fleet for workers that start at the same time. Otherwise the first worker would get
     * all units.
     */
    private boolean isTooEarly() {
        boolean nothingAssigned =
                sheets.values().stream().allMatch(sheet -> sheet.units().isEmpty());
        long startDelay = Math.min(
                client.options().poll().toNanos(), client.options().quiet().toNanos());
        return nothingAssigned && isRestless(startDelay);
    }

    /** Returns whether workers join and leave, and have not done so for too long to wait any longer. */
    private boolean isRestless(long quietNanos) {
        return fleetObserver.quietNanos() < quietNanos && fleetObserver.nanosSinceQuiet() < 6 * quietNanos;
    }

    private PlanProposal.MoveLimits movesAllowed() {
        int limit = client.options().maxMoves() > 0
                ? client.options().maxMoves()
                : Math.max(16, fleetObserver.catalog().size() / 20);
        int allowed = Math.max(0, limit - history.moves());
        return new PlanProposal.MoveLimits(
                allowed, isRestless(client.options().quiet().toNanos()) ? 0 : allowed);
    }

    private CompletionStage<Void> write(PlanProposal proposal) {
        PlanRevision revision = new PlanRevision(lease.fence().value(), ++number);
        Set<String> standbys = standbys();
        List<SheetWrite> writes = new ArrayList<>();
        proposal.units().forEach((worker, units) -> {
            AssignmentSheet sheet = sheets.get(worker);
            if (sheet != null && sheet.isChanged(units, standbys.contains(worker))) {
                writes.add(new SheetWrite(sheet, units));
            }
        });
        proposal.movedTo().forEach((worker, count) -> history.startMoves(worker, count, revision));
        return ConcurrentCalls.over(
                writes, write -> write.sheet.write(write.units, standbys.contains(write.sheet.worker()), revision));
    }

    private record SheetWrite(AssignmentSheet sheet, List<String> units) {}

    /** Chooses the standbys. Current standbys remain; after them come the workers that joined first. */
    private Set<String> standbys() {
        return fleetObserver.members().stream()
                .filter(worker -> !worker.report().leaving() && !worker.name().equals(client.worker()))
                .sorted(Comparator.comparing((FleetObserver.WatchedWorker worker) -> !isStandby(worker.name()))
                        .thenComparing(FleetObserver.WatchedWorker::fence))
                .limit(client.options().standbys())
                .map(FleetObserver.WatchedWorker::name)
                .collect(Collectors.toSet());
    }

    private boolean isStandby(String worker) {
        AssignmentSheet sheet = sheets.get(worker);
        return sheet != null && sheet.isStandby();
    }

    /** Publishes the state of planning on the planner's lease. Fails if another worker has become the planner. */
    private CompletionStage<Void> publish() {
        Instant now = client.runtime().now();
        return lease.updateAsync(new PlannerReport(
                        now.toEpochMilli(),
                        fleetObserver.catalog().size(),
                        fleetObserver.catalog().doneCount(),
                        summary.unplaced().size(),
                        history.moves(),
                        summary.details(fleetObserver.orders().fence(), history, client.nanos(), now))
                .toPatch());
    }

    Lease lease() {
        return lease;
    }

    /** Returns whether a round failed because another worker has become the planner. */
    boolean isReplaced(Throwable error) {
        return error instanceof LeaseLostException && !lease.isHeld();
    }

    /**
     * Releases the sheets and the planner's lease for the next planner. It can be called again if it fails. This
     * matters because a sheet that is still held looks like the sheet of a live planner.
     */
    CompletionStage<Void> releaseAll() {
        return ConcurrentCalls.over(
                Stream.concat(sheets.values().stream().flatMap(sheet -> sheet.keys().stream()), Stream.of(lease.key()))
                        .toList(),
                anchoredLeases::releaseStray);
    }
}
