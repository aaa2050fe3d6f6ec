package dev.holdfast.fleet.internal.units;

import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.FleetStatus.UnitTotals;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.planner.WorkerView;
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
    private final FleetNames fleetNames;

    public FleetStatusReader(Leases leases, FleetNames fleetNames) {
        this.leases = leases;
        this.fleetNames = fleetNames;
    }

    /** Reads the status of a fleet with a planner. */
    public CompletionStage<FleetStatus> planned() {
        return leases.async().get(fleetNames.planner()).thenCompose(planner -> {
            Map<String, WorkerStatus> workers = new TreeMap<>();
            LeaseFilter living =
                    LeaseFilter.namespacePrefix(fleetNames.anchors()).state(LeaseState.HELD);
            return PagedListing.over(leases.async(), living, anchor -> addWorker(WorkerView.of(anchor), workers))
                    .thenCompose(all -> status(planner.filter(LeaseStatus::isHeld), workers));
        });
    }

    private static void addWorker(WorkerView workerView, Map<String, WorkerStatus> workers) {
        WorkerReport workerReport = workerView.report();
        workers.put(
                workerView.name(),
                new WorkerStatus(
                        workerView.name(), workerReport.held(), workerReport.waiting(), workerReport.leaving()));
    }

    private CompletionStage<FleetStatus> status(Optional<LeaseStatus> planner, Map<String, WorkerStatus> workers) {
        Attributes reported = planner.map(LeaseStatus::attributes).orElse(Attributes.NONE);
        long held = workers.values().stream().mapToLong(WorkerStatus::units).sum();
        long waiting =
                workers.values().stream().mapToLong(WorkerStatus::waiting).sum();
        Optional<Duration> age = reported.number("at")
                .map(at -> Duration.between(
                        Instant.ofEpochMilli(at.longValue()), LeaseService.of(leases).environment().now()))
                .map(since -> since.isNegative() ? Duration.ZERO : since);
        CompletionStage<UnitTotals> totals = age.isPresent()
                ? CompletableFuture.completedFuture(new UnitTotals(
                        UnitAttributes.number(reported, "units"),
                        held,
                        UnitAttributes.number(reported, "done"),
                        UnitAttributes.number(reported, "unplaced")))
                : count(true).thenApply(Count::totals);
        Optional<String> name = planner.flatMap(LeaseStatus::holder).map(Holder::name);
        return totals.thenApply(
                units -> new FleetStatus(fleetNames.fleet(), name, age, List.copyOf(workers.values()), waiting, units));
    }

    /** Reads the status of a fleet without a planner: the holders of units are its workers. */
    public CompletionStage<FleetStatus> unplanned() {
        return count(false).thenApply(count -> {
            List<WorkerStatus> workers = count.held.entrySet().stream()
                    .map(entry -> new WorkerStatus(entry.getKey(), entry.getValue(), 0, false))
                    .toList();
            return new FleetStatus(fleetNames.fleet(), Optional.empty(), Optional.empty(), workers, 0, count.totals());
        });
    }

    private CompletionStage<Count> count(boolean planned) {
        Count count = new Count();
        LeaseFilter units = LeaseFilter.namespacePrefix(fleetNames.units());
        return PagedListing.over(leases.async(), units, status -> {
                    if (status.key().namespace().equals(fleetNames.units()) && UnitView.isUnit(status, planned)) {
                        count.add(status);
                    }
                })
                .thenApply(nothing -> count);
    }

    /** The totals of units, counted one by one. */
    private static final class Count {
        private final Map<String, Long> held = new TreeMap<>();
        private long total;
        private long done;

        void add(LeaseStatus status) {
            total++;
            done += status.state() == LeaseState.DONE ? 1 : 0;
            if (status.isHeld()) {
                held.merge(status.holder().map(Holder::name).orElse(""), 1L, Long::sum);
            }
        }

        UnitTotals totals() {
            long sum = held.values().stream().mapToLong(Long::longValue).sum();
            return new UnitTotals(total, sum, done, total - sum - done);
        }
    }
}
