package dev.holdfast.fleet.internal.status;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.ControlState.UnitMove;
import dev.holdfast.fleet.UnitOutlook;
import dev.holdfast.fleet.UnitOutlook.Standing;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.fleet.internal.control.ControlReader;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.reports.PlanDetails;
import dev.holdfast.fleet.internal.reports.PlannerReport;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;

/** The reader of the planner's view of one unit. */
public final class OutlookReader {
    private final AsyncLeases leases;
    private final FleetKeyLayout layout;
    private final ControlReader orders;

    public OutlookReader(AsyncLeases leases, FleetKeyLayout layout) {
        this.leases = leases;
        this.layout = layout;
        this.orders = new ControlReader(leases, layout);
    }

    /** The facts that are read by key. */
    private record UnitFacts(
            Optional<LeaseStatus> status,
            Optional<LeaseStatus> planner,
            Optional<ControlNote> paused,
            Optional<UnitMove> move,
            Optional<ControlNote> frozen) {
        Optional<String> heldBy() {
            return status.filter(LeaseStatus::isHeld)
                    .flatMap(LeaseStatus::holder)
                    .map(Holder::name);
        }

        PlanDetails details() {
            return planner.map(lease -> PlannerReport.of(lease.attributes()).details())
                    .orElse(PlanDetails.NONE);
        }
    }

    public CompletionStage<UnitOutlook> read(String unit) {
        CompletableFuture<Optional<LeaseStatus>> status =
                leases.get(layout.unit(unit)).toCompletableFuture();
        CompletableFuture<Optional<LeaseStatus>> planner =
                leases.get(layout.planner()).toCompletableFuture();
        CompletableFuture<Optional<ControlNote>> paused =
                orders.note(orders.keys().paused(unit)).toCompletableFuture();
        CompletableFuture<Optional<UnitMove>> move = orders.move(unit).toCompletableFuture();
        CompletableFuture<Optional<ControlNote>> frozen =
                orders.note(orders.keys().freeze()).toCompletableFuture();
        return CompletableFuture.allOf(status, planner, paused, move, frozen).thenCompose(all -> {
            UnitFacts facts = new UnitFacts(
                    status.join().filter(layout::isUnit),
                    planner.join().filter(LeaseStatus::isHeld),
                    paused.join(),
                    move.join(),
                    frozen.join());
            return unfinished(facts)
                    .thenCompose(waitsFor -> new AssignmentLookup(leases, layout)
                            .worker(unit)
                            .thenCompose(assigned -> draining(assigned.or(facts::heldBy))
                                    .thenApply(drained -> outlook(unit, facts, waitsFor, assigned, drained))));
        });
    }

    /** Returns the units that this one waits for. A deleted unit does not make others wait. */
    private CompletionStage<List<String>> unfinished(UnitFacts facts) {
        List<String> after = facts.status
                .map(status -> UnitAttributes.after(status.attributes()))
                .orElse(List.of());
        Set<String> unfinished = new ConcurrentSkipListSet<>();
        return ConcurrentCalls.over(
                        after,
                        name -> leases.get(layout.unit(name)).thenAccept(found -> {
                            if (found.filter(layout::isUnit)
                                    .filter(other -> other.state() != LeaseState.DONE)
                                    .isPresent()) {
                                unfinished.add(name);
                            }
                        }))
                .thenApply(nothing -> List.copyOf(unfinished));
    }

    private CompletionStage<Optional<ControlNote>> draining(Optional<String> worker) {
        return worker.map(name -> orders.note(orders.keys().drained(name)))
                .orElse(CompletableFuture.completedFuture(Optional.empty()));
    }

    private static UnitOutlook outlook(
            String unit,
            UnitFacts facts,
            List<String> waitsFor,
            Optional<String> assigned,
            Optional<ControlNote> drained) {
        PlanDetails details = facts.details();
        Optional<UnplacedReason> unplaced =
                Optional.ofNullable(details.unplaced().get(unit)).or(() -> onlyReason(details, assigned));
        return new UnitOutlook(
                unit,
                standing(
                        facts,
                        waitsFor,
                        assigned,
                        unplaced.isPresent() || !details.reasons().isEmpty()),
                facts.planner.flatMap(LeaseStatus::holder).map(Holder::name),
                assigned,
                facts.heldBy(),
                facts.paused,
                waitsFor,
                Optional.ofNullable(details.resting().get(unit)),
                unplaced,
                facts.move,
                drained,
                facts.frozen);
    }

    /** The report names only some of the unplaced units. If all have the same reason, the others are explained, too. */
    private static Optional<UnplacedReason> onlyReason(PlanDetails details, Optional<String> assigned) {
        return assigned.isEmpty() && details.reasons().size() == 1
                ? details.reasons().keySet().stream().findFirst()
                : Optional.empty();
    }

    private static Standing standing(
            UnitFacts facts, List<String> waitsFor, Optional<String> assigned, boolean mayBeUnplaced) {
        LeaseStatus status = facts.status.orElse(null);
        if (status == null) {
            return Standing.NO_UNIT;
        } else if (status.state() == LeaseState.DONE) {
            return Standing.DONE;
        } else if (UnitAttributes.isDeleting(status.attributes())) {
            return Standing.DELETING;
        } else if (facts.paused.isPresent()) {
            return Standing.PAUSED;
        } else if (!waitsFor.isEmpty()) {
            return Standing.WAITING;
        } else if (assigned.isPresent()) {
            return facts.heldBy().equals(assigned) ? Standing.HELD : Standing.ASSIGNED;
        } else if (facts.planner.isEmpty()) {
            return facts.heldBy().isPresent() ? Standing.HELD : Standing.NO_PLANNER;
        }
        return mayBeUnplaced ? Standing.UNPLACED : Standing.UNPLANNED;
    }
}
