package dev.holdfast.fleet.internal.worker;

import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.planner.AssignmentPart;
import dev.holdfast.fleet.internal.planner.PlanRevision;
import dev.holdfast.fleet.internal.units.ConcurrentCalls;
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
    private final WorkerSetup workerSetup;
    private final Map<Integer, AssignmentPart> known = new HashMap<>();

    AssignmentReader(WorkerSetup workerSetup) {
        this.workerSetup = workerSetup;
    }

    /**
     * The result of a read.
     *
     * @param assigned null if there is no assignment, or its parts do not belong together yet
     * @param planned whether a live planner holds an entry for this worker
     */
    record Mail(@Nullable Assigned assigned, boolean planned) {}

    record Assigned(PlanRevision revision, List<String> units, boolean standby) {}

    CompletionStage<Mail> read() {
        return get(0).thenCompose(found -> {
            boolean planned = found.map(LeaseStatus::isHeld).orElse(false);
            AssignmentPart first =
                    found.map(status -> AssignmentPart.of(status.attributes())).orElse(AssignmentPart.NONE);
            if (first.revision().equals(PlanRevision.NONE)) {
                return CompletableFuture.completedFuture(new Mail(null, planned));
            }
            return others(first).thenApply(complete -> new Mail(complete ? put(first) : null, planned));
        });
    }

    private CompletionStage<Boolean> others(AssignmentPart first) {
        List<Integer> stale = new ArrayList<>();
        for (int i = 1; i <= first.others().size(); i++) {
            if (!isKnown(first, i)) {
                stale.add(i);
            }
        }
        return ConcurrentCalls.over(stale, part -> get(part).thenAccept(found -> note(part, found)))
                .thenApply(all -> {
                    known.keySet().removeIf(part -> part > first.others().size());
                    return stale.stream().allMatch(part -> isKnown(first, part));
                });
    }

    private synchronized void note(int part, Optional<LeaseStatus> found) {
        known.put(
                part,
                found.map(status -> AssignmentPart.of(status.attributes())).orElse(AssignmentPart.NONE));
    }

    private synchronized boolean isKnown(AssignmentPart first, int part) {
        return known.getOrDefault(part, AssignmentPart.NONE)
                .revision()
                .equals(first.others().get(part - 1));
    }

    private synchronized Assigned put(AssignmentPart first) {
        List<String> units = new ArrayList<>(first.units());
        for (int i = 1; i <= first.others().size(); i++) {
            units.addAll(known.getOrDefault(i, AssignmentPart.NONE).units());
        }
        return new Assigned(first.revision(), units, first.standby());
    }

    private CompletionStage<Optional<LeaseStatus>> get(int part) {
        return workerSetup.async().get(workerSetup.names().assignment(workerSetup.worker(), part));
    }
}
