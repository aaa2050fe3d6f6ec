package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.NotGrantedException;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.reports.AssignmentPart;
import dev.holdfast.fleet.internal.reports.PlanRevision;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
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
    private final AnchoredLeases anchoredLeases;
    private final FleetKeyLayout layout;
    private final String worker;
    private final List<Lease> leases = new ArrayList<>();
    private final List<AssignmentPart> parts = new ArrayList<>();
    private Set<String> units = new TreeSet<>();

    private AssignmentSheet(AnchoredLeases anchoredLeases, FleetKeyLayout layout, String worker) {
        this.anchoredLeases = anchoredLeases;
        this.layout = layout;
        this.worker = worker;
    }

    /** Takes over the sheet of a worker. */
    static CompletionStage<AssignmentSheet> open(AnchoredLeases anchoredLeases, FleetKeyLayout layout, String worker) {
        AssignmentSheet sheet = new AssignmentSheet(anchoredLeases, layout, worker);
        return sheet.openParts(1)
                .thenCompose(nothing ->
                        sheet.openParts(1 + sheet.parts.get(0).others().size()))
                .thenApply(nothing -> {
                    sheet.parts.forEach(part -> sheet.units.addAll(part.units()));
                    return sheet;
                });
    }

    private CompletionStage<Void> openParts(int count) {
        return leases.size() < count
                ? openPart().thenCompose(nothing -> openParts(count))
                : CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> openPart() {
        Key key = layout.assignment(worker, leases.size());
        return anchoredLeases.tryAcquire(key).thenCompose(result -> {
            if (result.isGranted()) {
                Lease lease = result.orThrow();
                leases.add(lease);
                parts.add(AssignmentPart.of(lease.attributes()));
                return CompletableFuture.completedFuture(null);
            }
            // This process may hold it from an earlier time as planner. Then the next round can acquire it.
            return anchoredLeases.releaseStray(key).thenAccept(nothing -> {
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

    boolean isChanged(Collection<String> newUnits, boolean standby) {
        return standby != parts.get(0).standby()
                || revision().equals(PlanRevision.NONE)
                || !units.equals(new HashSet<>(newUnits));
    }

    /** Writes the changed parts: first the further parts, then the first part, which lists their revisions. */
    CompletionStage<Void> write(Collection<String> newUnits, boolean standby, PlanRevision revision) {
        Set<String> sorted = new TreeSet<>(newUnits);
        List<List<String>> split = AssignmentPart.split(List.copyOf(sorted));
        return openParts(split.size())
                .thenCompose(nothing -> writeOthers(split, revision))
                .thenCompose(nothing -> {
                    List<PlanRevision> others = parts.subList(1, split.size()).stream()
                            .map(AssignmentPart::revision)
                            .toList();
                    return writePart(0, new AssignmentPart(revision, split.get(0), others, standby));
                })
                .thenRun(() -> units = sorted);
    }

    private CompletionStage<Void> writeOthers(List<List<String>> split, PlanRevision revision) {
        List<Integer> changed = new ArrayList<>();
        for (int i = 1; i < split.size(); i++) {
            if (!split.get(i).equals(parts.get(i).units())) {
                changed.add(i);
            }
        }
        return ConcurrentCalls.over(
                changed, i -> writePart(i, new AssignmentPart(revision, split.get(i), List.of(), false)));
    }

    private CompletionStage<Void> writePart(int index, AssignmentPart part) {
        return leases.get(index)
                .updateAsync(AttributePatch.replaceWith(part.toAttributes()))
                .thenRun(() -> parts.set(index, part));
    }

    /** Deletes the sheet, because its worker is gone. */
    CompletionStage<Void> delete() {
        return ConcurrentCalls.over(leases, lease -> anchoredLeases.leases().delete(lease.key(), lease.token()));
    }

    List<Key> keys() {
        return leases.stream().map(Lease::key).toList();
    }
}
