package dev.holdfast.fleet.internal.planner;

import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetStatus;
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
                        : count().thenApply(count -> count.total == 0));
    }

    private CompletionStage<FleetStatus> planned() {
        return leases.async().get(layout.planner()).thenCompose(planner -> {
            Map<String, FleetStatus.WorkerStatus> workers = new TreeMap<>();
            return PagedKeyListing.over(leases.async(), layout.liveAnchors(), anchor -> addWorker(anchor, workers))
                    .thenCompose(all -> status(planner.filter(LeaseStatus::isHeld), workers));
        });
    }

    private static void addWorker(LeaseStatus anchor, Map<String, FleetStatus.WorkerStatus> workers) {
        String name = anchor.key().name();
        WorkerReport report = WorkerReport.of(anchor.attributes());
        workers.put(name, new FleetStatus.WorkerStatus(name, report.held(), report.waiting(), report.leaving()));
    }

    private CompletionStage<FleetStatus> status(
            Optional<LeaseStatus> planner, Map<String, FleetStatus.WorkerStatus> workers) {
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
        CompletionStage<FleetStatus.UnitTotals> totals = report.map(found -> CompletableFuture.completedFuture(
                        new FleetStatus.UnitTotals(found.units(), held, found.done(), found.unplaced())))
                .orElseGet(() -> count().thenApply(UnitCount::totals).toCompletableFuture());
        Optional<String> name = planner.flatMap(LeaseStatus::holder).map(holder -> holder.name());
        return totals.thenApply(
                units -> new FleetStatus(layout.fleet(), name, age, List.copyOf(workers.values()), waiting, units));
    }

    /** Without a planner, the holders of units are the workers. */
    private CompletionStage<FleetStatus> unplanned() {
        return count().thenApply(count -> {
            List<FleetStatus.WorkerStatus> workers = count.held.entrySet().stream()
                    .map(entry -> new FleetStatus.WorkerStatus(entry.getKey(), entry.getValue(), 0, false))
                    .toList();
            return new FleetStatus(layout.fleet(), Optional.empty(), Optional.empty(), workers, 0, count.totals());
        });
    }

    private CompletionStage<UnitCount> count() {
        UnitCount count = new UnitCount();
        return PagedKeyListing.over(leases.async(), layout.unitFilter(), status -> {
                    if (layout.isUnit(status)) {
                        count.add(status);
                    }
                })
                .thenApply(nothing -> count);
    }

    /** The totals of units, counted one by one. */
    private static final class UnitCount {
        private final Map<String, Long> held = new TreeMap<>();
        private long total;
        private long done;

        void add(LeaseStatus status) {
            total++;
            done += status.state() == LeaseState.DONE ? 1 : 0;
            if (status.isHeld()) {
                held.merge(status.holder().map(holder -> holder.name()).orElse(""), 1L, Long::sum);
            }
        }

        FleetStatus.UnitTotals totals() {
            long sum = held.values().stream().mapToLong(Long::longValue).sum();
            return new FleetStatus.UnitTotals(total, sum, done, total - sum - done);
        }
    }
}
