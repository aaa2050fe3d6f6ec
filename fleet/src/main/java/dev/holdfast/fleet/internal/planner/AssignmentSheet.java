package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.NotGrantedException;
import dev.holdfast.fleet.internal.units.ConcurrentCalls;
import dev.holdfast.fleet.internal.worker.StrayLeases;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The assignment of one worker, as the planner writes it. Its entries are leases that the planner holds. Acquiring them
 * returns the units that the previous planner wrote, and makes further writes of that planner fail.
 */
final class AssignmentSheet {
    private final WorkerSetup workerSetup;
    private final Anchor anchor;
    private final String worker;
    private final List<Lease> leases = new ArrayList<>();
    private final List<AssignmentPart> parts = new ArrayList<>();
    private Set<String> units = new TreeSet<>();

    private AssignmentSheet(WorkerSetup workerSetup, Anchor anchor, String worker) {
        this.workerSetup = workerSetup;
        this.anchor = anchor;
        this.worker = worker;
    }

    /** Takes over the sheet of a worker. */
    static CompletionStage<AssignmentSheet> open(WorkerSetup workerSetup, Anchor anchor, String worker) {
        AssignmentSheet assignmentSheet = new AssignmentSheet(workerSetup, anchor, worker);
        return assignmentSheet
                .openPart()
                .thenCompose(nothing -> assignmentSheet.openOthers())
                .thenApply(nothing -> {
                    assignmentSheet.parts.forEach(
                            assignmentPart -> assignmentSheet.units.addAll(assignmentPart.units()));
                    return assignmentSheet;
                });
    }

    private CompletionStage<Void> openOthers() {
        return leases.size() <= parts.get(0).others().size()
                ? openPart().thenCompose(nothing -> openOthers())
                : CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> openPart() {
        AcquireOptions options = AcquireOptions.defaults().under(anchor).holder(workerSetup.worker());
        Key key = workerSetup.names().assignment(worker, leases.size());
        return workerSetup.async().tryAcquire(key, options).thenCompose(result -> {
            if (result.isGranted()) {
                Lease lease = result.orThrow();
                leases.add(lease);
                parts.add(AssignmentPart.of(lease.attributes()));
                return CompletableFuture.completedFuture(null);
            }
            // This process may hold it from an earlier time as planner. Then the next round can acquire it.
            return StrayLeases.release(workerSetup.async(), key, anchor).thenAccept(nothing -> {
                throw new NotGrantedException(result);
            });
        });
    }

    String worker() {
        return worker;
    }

    Set<String> units() {
        return units;
    }

    PlanRevision revision() {
        return parts.get(0).revision();
    }

    boolean isStandby() {
        return parts.get(0).standby();
    }

    /** Writes the changed parts: first the further parts, then the first part, which lists their revisions. */
    CompletionStage<Void> write(Collection<String> newUnits, boolean standby, PlanRevision planRevision) {
        Set<String> sorted = new TreeSet<>(newUnits);
        List<List<String>> split = AssignmentPart.split(List.copyOf(sorted));
        return openParts(split.size())
                .thenCompose(nothing -> writeOthers(split, planRevision))
                .thenCompose(nothing -> {
                    List<PlanRevision> others = parts.subList(1, split.size()).stream()
                            .map(AssignmentPart::revision)
                            .toList();
                    return writePart(0, new AssignmentPart(planRevision, split.get(0), others, standby));
                })
                .thenRun(() -> units = sorted);
    }

    private CompletionStage<Void> openParts(int count) {
        return leases.size() < count
                ? openPart().thenCompose(nothing -> openParts(count))
                : CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> writeOthers(List<List<String>> split, PlanRevision planRevision) {
        List<Integer> changed = new ArrayList<>();
        for (int i = 1; i < split.size(); i++) {
            if (!split.get(i).equals(parts.get(i).units())) {
                changed.add(i);
            }
        }
        return ConcurrentCalls.over(
                changed, i -> writePart(i, new AssignmentPart(planRevision, split.get(i), List.of(), false)));
    }

    private CompletionStage<Void> writePart(int index, AssignmentPart assignmentPart) {
        return leases.get(index)
                .updateAsync(AttributePatch.replaceWith(assignmentPart.toAttributes()))
                .thenRun(() -> parts.set(index, assignmentPart));
    }

    /** Deletes the sheet, because its worker is gone. */
    CompletionStage<Void> delete() {
        return ConcurrentCalls.over(leases, lease -> workerSetup.async().delete(lease.key(), lease.token()));
    }

    List<Key> keys() {
        return leases.stream().map(Lease::key).toList();
    }
}
