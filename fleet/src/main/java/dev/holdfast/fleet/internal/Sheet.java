package dev.holdfast.fleet.internal;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Lease;
import dev.holdfast.NotGrantedException;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The assignment of one worker, in the hands of the planner. Its entries are leases that the planner holds: taking them
 * over shows what the planner before had written, and from then on that one's writes fail.
 */
final class Sheet {
    private final Setup setup;
    private final Anchor anchor;
    private final String worker;
    private final List<Lease> leases = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private Set<String> units = new TreeSet<>();

    private Sheet(Setup setup, Anchor anchor, String worker) {
        this.setup = setup;
        this.anchor = anchor;
        this.worker = worker;
    }

    /** Takes the sheet of a worker over. */
    static CompletionStage<Sheet> open(Setup setup, Anchor anchor, String worker) {
        Sheet sheet = new Sheet(setup, anchor, worker);
        return sheet.openPart().thenCompose(nothing -> sheet.openOthers()).thenApply(nothing -> {
            sheet.parts.forEach(part -> sheet.units.addAll(part.units()));
            return sheet;
        });
    }

    private CompletionStage<Void> openOthers() {
        return leases.size() <= parts.get(0).others().size()
                ? openPart().thenCompose(nothing -> openOthers())
                : CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> openPart() {
        AcquireOptions options = AcquireOptions.defaults().under(anchor).holder(setup.worker());
        Key key = setup.names().assignment(worker, leases.size());
        return setup.async().tryAcquire(key, options).thenCompose(result -> {
            if (result.isGranted()) {
                Lease lease = result.orThrow();
                leases.add(lease);
                parts.add(Part.of(lease.attributes()));
                return CompletableFuture.completedFuture(null);
            }
            // Perhaps by this very process, which planned before: then the next round can have it.
            return Reclaim.of(setup.async(), key, anchor).thenAccept(nothing -> {
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

    Revision revision() {
        return parts.get(0).revision();
    }

    boolean isStandby() {
        return parts.get(0).standby();
    }

    /** Writes what has changed: first the further parts, then the one that says which those are. */
    CompletionStage<Void> write(Collection<String> newUnits, boolean standby, Revision revision) {
        Set<String> sorted = new TreeSet<>(newUnits);
        List<List<String>> cut = Part.cut(List.copyOf(sorted));
        return openUpTo(cut.size())
                .thenCompose(nothing -> writeOthers(cut, revision))
                .thenCompose(nothing -> {
                    List<Revision> others = parts.subList(1, cut.size()).stream()
                            .map(Part::revision)
                            .toList();
                    return writePart(0, new Part(revision, cut.get(0), others, standby));
                })
                .thenRun(() -> units = sorted);
    }

    private CompletionStage<Void> openUpTo(int count) {
        return leases.size() < count
                ? openPart().thenCompose(nothing -> openUpTo(count))
                : CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> writeOthers(List<List<String>> cut, Revision revision) {
        List<Integer> changed = new ArrayList<>();
        for (int i = 1; i < cut.size(); i++) {
            if (!cut.get(i).equals(parts.get(i).units())) {
                changed.add(i);
            }
        }
        return Window.over(changed, i -> writePart(i, new Part(revision, cut.get(i), List.of(), false)));
    }

    private CompletionStage<Void> writePart(int index, Part part) {
        return leases.get(index)
                .updateAsync(AttributePatch.replaceWith(part.toAttributes()))
                .thenRun(() -> parts.set(index, part));
    }

    /** Forgets it, as its worker is gone. */
    CompletionStage<Void> delete() {
        return Window.over(leases, lease -> setup.async().delete(lease.key(), lease.token()));
    }

    List<Key> keys() {
        return leases.stream().map(Lease::key).toList();
    }
}
