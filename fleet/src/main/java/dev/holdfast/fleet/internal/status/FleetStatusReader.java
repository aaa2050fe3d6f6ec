package dev.holdfast.fleet.internal.status;

import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.fleet.internal.control.ControlReader;
import dev.holdfast.fleet.internal.control.ControlSupport;
import dev.holdfast.fleet.internal.reports.PlanDetails;
import dev.holdfast.fleet.internal.reports.PlannerReport;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The reader of a fleet's status. If there is a live planner, its report and the reports of the workers are enough,
 * however many units there are. Otherwise it counts the units.
 */
public final class FleetStatusReader {
    private final Leases leases;
    private final FleetKeyLayout layout;

    public FleetStatusReader(Leases leases, FleetKeyLayout layout) {
        this.leases = leases;
        this.layout = layout;
    }

    public CompletionStage<FleetStatus> read() {
        return layout.planned() ? planned() : unplanned();
    }

    /**
     * Returns whether the fleet has no units. It costs one read if units were changed recently, because that leaves a
     * mark. Otherwise it lists the units.
     */
    public CompletionStage<Boolean> isEmpty() {
        return leases.async()
                .get(layout.unitsMark())
                .thenCompose(mark -> mark.isPresent()
                        ? CompletableFuture.completedFuture(false)
                        : count(ControlState.NONE).thenApply(count -> count.total == 0));
    }

    private CompletionStage<FleetStatus> planned() {
        return leases.async().get(layout.planner()).thenCompose(planner -> {
            Map<String, FleetStatus.WorkerStatus> workers = new TreeMap<>();
            Optional<LeaseStatus> live = planner.filter(LeaseStatus::isHeld);
            return PagedKeyListing.over(leases.async(), layout.liveAnchors(), anchor -> addWorker(anchor, workers))
                    .thenCompose(all -> control(live))
                    .thenCompose(control -> status(live, workers, control));
        });
    }

    /**
     * Reads the orders. A listing is needed only if there have been any: then the planner knows of them, or the mark
     * shows that it will.
     */
    private CompletionStage<ControlState> control(Optional<LeaseStatus> planner) {
        ControlReader reader = new ControlReader(leases.async(), layout);
        boolean plannerKnowsNone = planner.map(lease -> PlannerReport.of(lease.attributes()))
                .filter(report -> report.atMillis() != 0 && report.details().orders() == 0)
                .isPresent();
        return leases.async()
                .get(reader.keys().mark())
                .thenCompose(mark -> mark.isEmpty() && plannerKnowsNone
                        ? CompletableFuture.completedFuture(ControlState.NONE)
                        : reader.read());
    }

    private static void addWorker(LeaseStatus anchor, Map<String, FleetStatus.WorkerStatus> workers) {
        String name = anchor.key().name();
        WorkerReport report = WorkerReport.of(anchor.attributes());
        workers.put(
                name,
                new FleetStatus.WorkerStatus(
                        name,
                        report.held(),
                        report.waiting(),
                        report.leaving(),
                        ControlSupport.isSupported(anchor.attributes()),
                        report.profile().capacity(),
                        report.profile().labels(),
                        report.profile().load()));
    }

    private CompletionStage<FleetStatus> status(
            Optional<LeaseStatus> planner, Map<String, FleetStatus.WorkerStatus> workers, ControlState control) {
        Optional<PlannerReport> report =
                planner.map(lease -> PlannerReport.of(lease.attributes())).filter(found -> found.atMillis() != 0);
        long held = workers.values().stream()
                .mapToLong(FleetStatus.WorkerStatus::units)
                .sum();
        long waiting = workers.values().stream()
                .mapToLong(FleetStatus.WorkerStatus::waiting)
                .sum();
        Optional<Duration> age = report.map(found -> Duration.between(
                        Instant.ofEpochMilli(found.atMillis()),
                        LeaseService.of(leases).environment().now()))
                .map(since -> since.isNegative() ? Duration.ZERO : since);
        CompletionStage<FleetStatus.UnitTotals> totals = report.map(
                        found -> CompletableFuture.completedFuture(totals(found, held)))
                .orElseGet(() -> count(control).thenApply(UnitCount::totals).toCompletableFuture());
        Optional<String> name = planner.flatMap(LeaseStatus::holder).map(holder -> holder.name());
        return totals.thenApply(units -> new FleetStatus(
                layout.fleet(),
                name,
                age,
                List.copyOf(workers.values()),
                waiting,
                units,
                control,
                report.map(FleetStatusReader::unplaced)
                        .orElseGet(() -> withoutWorkers(workers.isEmpty(), units.unplaced()))));
    }

    private static FleetStatus.UnitTotals totals(PlannerReport report, long held) {
        return new FleetStatus.UnitTotals(
                report.units(),
                held,
                report.done(),
                report.unplaced(),
                report.details().paused(),
                report.details().waiting());
    }

    private static List<FleetStatus.UnplacedUnits> unplaced(PlannerReport report) {
        PlanDetails details = report.details();
        return details.reasons().entrySet().stream()
                .flatMap(entry -> byLabels(
                        new FleetStatus.UnplacedUnits(
                                entry.getKey(),
                                entry.getValue(),
                                details.unplaced().keySet().stream()
                                        .filter(unit -> details.unplaced().get(unit) == entry.getKey())
                                        .toList()),
                        details.missing().units()))
                .toList();
    }

    /** Splits the units that miss labels by these labels. Their names are kept only if all miss the same ones. */
    private static Stream<FleetStatus.UnplacedUnits> byLabels(
            FleetStatus.UnplacedUnits units, Map<LabelConditions, Long> missing) {
        if (units.reason() != UnplacedReason.LABELS) {
            return Stream.of(units);
        }
        long known = missing.values().stream().mapToLong(Long::longValue).sum();
        List<String> names = missing.size() == 1 ? units.names() : List.of();
        Stream<FleetStatus.UnplacedUnits> split = missing.entrySet().stream()
                .map(entry -> new FleetStatus.UnplacedUnits(units.reason(), entry.getValue(), names, entry.getKey()));
        return known < units.count()
                ? Stream.concat(
                        split,
                        Stream.of(new FleetStatus.UnplacedUnits(units.reason(), units.count() - known, List.of())))
                : split;
    }

    /** No planner is needed to see that there are no workers. */
    private static List<FleetStatus.UnplacedUnits> withoutWorkers(boolean isEmpty, long count) {
        return isEmpty && count > 0
                ? List.of(new FleetStatus.UnplacedUnits(UnplacedReason.NO_WORKER, count, List.of()))
                : List.of();
    }

    /** Without a planner, the holders of units are the workers. */
    private CompletionStage<FleetStatus> unplanned() {
        return count(ControlState.NONE).thenApply(count -> {
            List<FleetStatus.WorkerStatus> workers = count.held.entrySet().stream()
                    .map(entry -> new FleetStatus.WorkerStatus(entry.getKey(), entry.getValue(), 0, false, true))
                    .toList();
            return new FleetStatus(
                    layout.fleet(),
                    Optional.empty(),
                    Optional.empty(),
                    workers,
                    0,
                    count.totals(),
                    ControlState.NONE,
                    List.of());
        });
    }

    private CompletionStage<UnitCount> count(ControlState control) {
        UnitCount count = new UnitCount(control);
        return PagedKeyListing.over(leases.async(), layout.unitFilter(), status -> {
                    if (layout.isUnit(status)) {
                        count.add(status);
                    }
                })
                .thenApply(nothing -> count);
    }

    /** The totals of units, counted one by one. */
    private static final class UnitCount {
        private final ControlState control;
        private final Map<String, Long> held = new TreeMap<>();
        private long total;
        private long done;
        private long paused;

        UnitCount(ControlState control) {
            this.control = control;
        }

        void add(LeaseStatus status) {
            total++;
            done += status.state() == LeaseState.DONE ? 1 : 0;
            boolean isPaused = control.paused().containsKey(status.key().name());
            paused += isPaused && status.state() == LeaseState.FREE ? 1 : 0;
            if (status.isHeld()) {
                held.merge(status.holder().map(holder -> holder.name()).orElse(""), 1L, Long::sum);
            }
        }

        FleetStatus.UnitTotals totals() {
            long sum = held.values().stream().mapToLong(Long::longValue).sum();
            return new FleetStatus.UnitTotals(total, sum, done, total - sum - done - paused, paused, 0);
        }
    }
}
