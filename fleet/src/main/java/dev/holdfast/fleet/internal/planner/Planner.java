package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.internal.units.ConcurrentCalls;
import dev.holdfast.fleet.internal.worker.StrayLeases;
import dev.holdfast.fleet.internal.worker.UnitSlotServices;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The planner of a fleet, active while this worker holds the planner's lease. In each round it reads the live workers
 * and the units, calls the strategy, and writes a new sheet for each worker with changed units.
 *
 * <p>A round that fails half-way is harmless. A sheet only states which units a worker should have; the lease of the
 * unit decides which worker may work on it. The next round continues from the sheets that were written.
 *
 * <p>Only one round runs at a time, and only the round accesses the fields it uses.
 */
final class Planner {
    private final WorkerSetup workerSetup;
    private final UnitSlotServices unitSlotServices;
    private final Anchor anchor;
    private final Lease lease;
    private final FleetWatch fleetWatch;
    private final FailedPlacements failedPlacements;
    private final UnitMoves unitMoves = new UnitMoves();
    private final Map<String, AssignmentSheet> sheets = new ConcurrentSkipListMap<>();
    private long number;
    private volatile long plannedVersion = -1;
    private boolean unsettled;
    private int unplaced;

    Planner(
            WorkerSetup workerSetup,
            UnitSlotServices unitSlotServices,
            Anchor anchor,
            Lease lease,
            FleetWatch fleetWatch) {
        this.workerSetup = workerSetup;
        this.unitSlotServices = unitSlotServices;
        this.anchor = anchor;
        this.lease = lease;
        this.fleetWatch = fleetWatch;
        this.failedPlacements = new FailedPlacements(workerSetup.options());
    }

    /** Reads workers and units, plans, writes the sheets, and publishes that it planned. */
    CompletionStage<Void> round() {
        return fleetWatch
                .refresh()
                .thenCompose(nothing -> ConcurrentCalls.over(fleetWatch.vanished(), this::removeWorker))
                .thenCompose(nothing -> openSheets())
                .thenCompose(nothing -> deleteUnits())
                .thenCompose(nothing -> plan())
                .thenCompose(nothing -> publish());
    }

    /**
     * Deletes the anchor of a worker that stopped renewing. The planner has watched that anchor longest, so it decides
     * once for all workers. Workers that take over its units then need not observe the anchor for a term of their own.
     */
    private CompletionStage<Void> removeWorker(String worker) {
        return workerSetup
                .async()
                .delete(workerSetup.names().anchor(worker), null)
                .thenCompose(result -> {
                    if (result instanceof AcquireResult.HeldByAnother) {
                        // The next refresh finds the worker alive.
                        throw new IllegalStateException(worker + " has returned");
                    }
                    plannedVersion = -1;
                    AssignmentSheet assignmentSheet = sheets.get(worker);
                    CompletionStage<Void> deleted = assignmentSheet == null
                            ? CompletableFuture.completedFuture(null)
                            : assignmentSheet.delete();
                    // Only after the deletion: a new worker of this name that finds the sheet assumes that the planner
                    // knows it.
                    return deleted.thenRun(() -> {
                        sheets.remove(worker);
                        fleetWatch.forgetVanished(worker);
                    });
                });
    }

    /**
     * Opens the missing sheets. All must be open before planning, or the planner would not know the owners of the
     * units.
     */
    private CompletionStage<Void> openSheets() {
        List<String> missing = fleetWatch.members().stream()
                .map(WorkerView::name)
                .filter(name -> !sheets.containsKey(name))
                .toList();
        return ConcurrentCalls.over(
                missing,
                name -> AssignmentSheet.open(workerSetup, anchor, name).thenAccept(assignmentSheet -> {
                    sheets.put(name, assignmentSheet);
                    plannedVersion = -1;
                }));
    }

    private CompletionStage<Void> deleteUnits() {
        Set<String> deleted = ConcurrentHashMap.newKeySet();
        return ConcurrentCalls.over(
                        fleetWatch.catalog().deleting(),
                        name -> workerSetup
                                .async()
                                .delete(workerSetup.names().unit(name), null)
                                .thenAccept(result -> {
                                    if (!(result instanceof AcquireResult.HeldByAnother)) {
                                        deleted.add(name);
                                    }
                                }))
                .thenRun(() -> deleted.forEach(fleetWatch.catalog()::remove));
    }

    private CompletionStage<Void> plan() {
        long now = workerSetup.runtime().nanos();
        noteReports(now);
        unitMoves.settle(fleetWatch);
        failedPlacements.dropExpired(now);
        boolean unchanged = fleetWatch.version() == plannedVersion && !unsettled && failedPlacements.isEmpty();
        if (unchanged || isTooEarly()) {
            return CompletableFuture.completedFuture(null);
        }
        // The version counts as planned only after the write. If the strategy or a write fails, the next round tries
        // again.
        long version = fleetWatch.version();
        SituationTable situationTable = new SituationTable(
                fleetWatch.members(), fleetWatch.catalog().assignable(), sheets.values(), failedPlacements, now);
        PlanProposal planProposal = new PlanProposal(situationTable, workerSetup.strategy(), movesAllowed());
        unsettled = planProposal.postponed() > 0;
        unplaced = planProposal.unplaced();
        return write(planProposal, situationTable).thenRun(() -> {
            plannedVersion = version;
            unitSlotServices.notifyListener(() -> workerSetup
                    .listener()
                    .onPlanned(planProposal.placed(), planProposal.moved(), planProposal.unplaced()));
        });
    }

    private void noteReports(long now) {
        for (WorkerView workerView : fleetWatch.members()) {
            AssignmentSheet assignmentSheet = sheets.get(workerView.name());
            if (assignmentSheet != null && workerView.report().applied().compareTo(assignmentSheet.revision()) >= 0) {
                workerView.report().done().stream()
                        .filter(assignmentSheet.units()::contains)
                        .forEach(fleetWatch.catalog()::finish);
                workerView.report().failed().stream()
                        .filter(assignmentSheet.units()::contains)
                        .filter(unit -> failedPlacements.mayHave(workerView.name(), unit, now))
                        .forEach(unit -> failedPlacements.recordFailure(unit, workerView.name(), now));
            }
        }
    }

    /**
     * Delays the first plan of a fleet for workers that start at the same time. Otherwise the first worker would get
     * all units.
     */
    private boolean isTooEarly() {
        boolean nothingAssigned = sheets.values().stream()
                .allMatch(assignmentSheet -> assignmentSheet.units().isEmpty());
        long startDelay = Math.min(
                workerSetup.options().poll().toNanos(),
                workerSetup.options().quiet().toNanos());
        return nothingAssigned && fleetWatch.quietNanos() < startDelay && fleetWatch.nanosSinceQuiet() < 6 * startDelay;
    }

    private int movesAllowed() {
        FleetOptions options = workerSetup.options();
        long quiet = options.quiet().toNanos();
        if (fleetWatch.quietNanos() < quiet && fleetWatch.nanosSinceQuiet() < 6 * quiet) {
            return 0;
        }
        int limit = options.maxMoves() > 0
                ? options.maxMoves()
                : Math.max(16, fleetWatch.catalog().size() / 20);
        return Math.max(0, limit - unitMoves.count());
    }

    private CompletionStage<Void> write(PlanProposal planProposal, SituationTable situationTable) {
        PlanRevision planRevision = new PlanRevision(lease.fence().value(), ++number);
        Set<String> standbys = standbys();
        List<List<String>> units = planProposal.units();
        List<Integer> changed = new ArrayList<>();
        for (int worker = 0; worker < situationTable.workers(); worker++) {
            String name = situationTable.worker(worker).name();
            AssignmentSheet assignmentSheet = sheets.get(name);
            if (assignmentSheet != null
                    && (assignmentSheet.isStandby() != standbys.contains(name)
                            || assignmentSheet.revision().equals(PlanRevision.NONE)
                            || !assignmentSheet.units().equals(new HashSet<>(units.get(worker))))) {
                changed.add(worker);
            }
        }
        planProposal.movedTo().forEach((worker, count) -> unitMoves.start(worker, count, planRevision));
        return ConcurrentCalls.over(changed, worker -> {
            String name = situationTable.worker(worker).name();
            AssignmentSheet assignmentSheet = Objects.requireNonNull(sheets.get(name));
            return assignmentSheet.write(units.get(worker), standbys.contains(name), planRevision);
        });
    }

    /** Chooses the standbys. Current standbys remain; after them come the workers that joined first. */
    private Set<String> standbys() {
        Set<String> chosen = new HashSet<>();
        fleetWatch.members().stream()
                .filter(workerView ->
                        !workerView.report().leaving() && !workerView.name().equals(workerSetup.worker()))
                .sorted(Comparator.comparing((WorkerView workerView) -> !isStandby(workerView))
                        .thenComparing(WorkerView::fence))
                .limit(workerSetup.options().standbys())
                .forEach(workerView -> chosen.add(workerView.name()));
        return chosen;
    }

    private boolean isStandby(WorkerView workerView) {
        AssignmentSheet assignmentSheet = sheets.get(workerView.name());
        return assignmentSheet != null && assignmentSheet.isStandby();
    }

    /** Publishes the state of planning on the planner's lease. Fails if another worker has become the planner. */
    private CompletionStage<Void> publish() {
        return lease.updateAsync(AttributePatch.replaceWith(Attributes.of(Map.of(
                "at", AttributeValue.of(workerSetup.runtime().now().toEpochMilli()),
                "units", AttributeValue.of(fleetWatch.catalog().size()),
                "done", AttributeValue.of(fleetWatch.catalog().doneCount()),
                "unplaced", AttributeValue.of(unplaced),
                "moves", AttributeValue.of(unitMoves.count())))));
    }

    Lease lease() {
        return lease;
    }

    /**
     * Releases the sheets and the planner's lease for the next planner. It can be called again if it fails. This
     * matters because a sheet that is still held looks like the sheet of a live planner.
     */
    CompletionStage<Void> releaseAll() {
        List<Key> keys = new ArrayList<>();
        sheets.values().forEach(assignmentSheet -> keys.addAll(assignmentSheet.keys()));
        keys.add(lease.key());
        return ConcurrentCalls.over(keys, key -> StrayLeases.release(workerSetup.async(), key, anchor));
    }
}
