package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the planner wrote for this worker: one entry, and further ones only when it says that they have changed.
 * The entry is a lease that the planner holds through its anchor, so reading it also tells whether the planner lives, and
 * watches it where silence must be observed.
 */
final class Mailbox {
    private final Setup setup;
    private final Map<Integer, Part> known = new HashMap<>();

    Mailbox(Setup setup) {
        this.setup = setup;
    }

    /**
     * What was found.
     *
     * @param assigned null if there is nothing, or its parts do not belong together as yet
     * @param planned whether some planner has an entry for this worker and is alive
     */
    record Mail(@Nullable Assigned assigned, boolean planned) {}

    record Assigned(Revision revision, List<String> units, boolean standby) {}

    CompletionStage<Mail> read() {
        return get(0).thenCompose(found -> {
            boolean planned = found.map(LeaseStatus::isHeld).orElse(false);
            Part first = found.map(status -> Part.of(status.attributes())).orElse(Part.NONE);
            if (first.revision().equals(Revision.NONE)) {
                return CompletableFuture.completedFuture(new Mail(null, planned));
            }
            return others(first).thenApply(complete -> new Mail(complete ? put(first) : null, planned));
        });
    }

    private CompletionStage<Boolean> others(Part first) {
        List<Integer> stale = new ArrayList<>();
        for (int i = 1; i <= first.others().size(); i++) {
            if (!isKnown(first, i)) {
                stale.add(i);
            }
        }
        return Window.over(stale, part -> get(part).thenAccept(found -> note(part, found)))
                .thenApply(all -> {
                    known.keySet().removeIf(part -> part > first.others().size());
                    return stale.stream().allMatch(part -> isKnown(first, part));
                });
    }

    private synchronized void note(int part, Optional<LeaseStatus> found) {
        known.put(part, found.map(status -> Part.of(status.attributes())).orElse(Part.NONE));
    }

    private synchronized boolean isKnown(Part first, int part) {
        return known.getOrDefault(part, Part.NONE)
                .revision()
                .equals(first.others().get(part - 1));
    }

    private synchronized Assigned put(Part first) {
        List<String> units = new ArrayList<>(first.units());
        for (int i = 1; i <= first.others().size(); i++) {
            units.addAll(known.getOrDefault(i, Part.NONE).units());
        }
        return new Assigned(first.revision(), units, first.standby());
    }

    private CompletionStage<Optional<LeaseStatus>> get(int part) {
        return setup.async().get(setup.names().assignment(setup.worker(), part));
    }
}
