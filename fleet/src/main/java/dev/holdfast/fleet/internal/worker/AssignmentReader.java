package dev.holdfast.fleet.internal.worker;

import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.reports.AssignmentPart;
import dev.holdfast.fleet.internal.reports.PlanRevision;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the assignment that the planner wrote for this worker. It reads the first entry, and further ones only
 * if the first says that they have changed. The planner holds the entry through its anchor. So each read also shows
 * whether the planner is alive, and observes its anchor where expiry must be observed.
 */
final class AssignmentReader {
    private final WorkerClient client;
    private final Map<Integer, AssignmentPart> known = new HashMap<>();

    AssignmentReader(WorkerClient client) {
        this.client = client;
    }

    /**
     * The result of a read.
     *
     * @param whole all parts as one; null if there is no assignment, or its parts do not belong together yet
     * @param planned whether a live planner holds an entry for this worker
     */
    record AssignmentRead(@Nullable AssignmentPart whole, boolean planned) {}

    CompletionStage<AssignmentRead> read() {
        return get(0).thenCompose(found -> {
            boolean planned = found.map(LeaseStatus::isHeld).orElse(false);
            AssignmentPart first = parse(found);
            if (first.revision().equals(PlanRevision.NONE)) {
                return CompletableFuture.completedFuture(new AssignmentRead(null, planned));
            }
            return others(first).thenApply(complete -> new AssignmentRead(complete ? join(first) : null, planned));
        });
    }

    private CompletionStage<Boolean> others(AssignmentPart first) {
        List<Integer> stale = new ArrayList<>();
        for (int i = 1; i <= first.others().size(); i++) {
            if (!isKnown(first, i)) {
                stale.add(i);
            }
        }
        return ConcurrentCalls.over(stale, part -> get(part).thenAccept(found -> note(part, parse(found))))
                .thenApply(all -> {
                    known.keySet().removeIf(part -> part > first.others().size());
                    return stale.stream().allMatch(part -> isKnown(first, part));
                });
    }

    private synchronized void note(int part, AssignmentPart found) {
        known.put(part, found);
    }

    private static AssignmentPart parse(Optional<LeaseStatus> found) {
        return found.map(status -> AssignmentPart.of(status.attributes())).orElse(AssignmentPart.NONE);
    }

    private synchronized boolean isKnown(AssignmentPart first, int part) {
        return known.getOrDefault(part, AssignmentPart.NONE)
                .revision()
                .equals(first.others().get(part - 1));
    }

    private synchronized AssignmentPart join(AssignmentPart first) {
        List<String> units = new ArrayList<>(first.units());
        for (int i = 1; i <= first.others().size(); i++) {
            units.addAll(known.getOrDefault(i, AssignmentPart.NONE).units());
        }
        return new AssignmentPart(first.revision(), units, List.of(), first.standby());
    }

    private CompletionStage<Optional<LeaseStatus>> get(int part) {
        return client.async().get(client.layout().assignment(client.worker(), part));
    }
}
