package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.UnplacedReason;
import java.util.IdentityHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cause why units have no worker in a situation. The workers are examined once, and not for each unit, because
 * there may be very many of both.
 */
final class UnplacedCause {
    private final SituationTable situation;
    private final int[] open;
    private final int[] counts;
    /** The obstacle of all units; null if there is a worker that takes units. */
    private final @Nullable PlacementObstacle common;

    /** The obstacles of units by their required labels, as far as these decide. Equal conditions are one object. */
    private final IdentityHashMap<LabelConditions, PlacementObstacle> byLabels = new IdentityHashMap<>();

    /** @param plan the worker of each unit */
    UnplacedCause(SituationTable situation, int[] plan) {
        this.situation = situation;
        this.counts = new int[situation.workers()];
        IntStream.of(plan)
                .filter(worker -> worker != AssignmentStrategy.UNASSIGNED)
                .forEach(worker -> counts[worker]++);
        this.open = IntStream.range(0, situation.workers())
                .filter(worker -> !situation.isLeaving(worker) && !situation.isDrained(worker))
                .toArray();
        boolean isDraining = IntStream.range(0, situation.workers()).anyMatch(worker -> !situation.isLeaving(worker));
        UnplacedReason ifNone = isDraining ? UnplacedReason.ALL_DRAINING : UnplacedReason.NO_WORKER;
        this.common = open.length == 0 ? PlacementObstacle.of(ifNone) : null;
    }

    /** Returns why no worker can have the unit, or why no other worker can take it from a draining one. */
    PlacementObstacle obstacle(int unit) {
        LabelConditions required = situation.requires(unit);
        PlacementObstacle known = common == null ? byLabels.get(required) : common;
        if (known != null) {
            return known;
        }
        PlacementObstacle found = PlacementObstacle.of(situation, open, counts, unit);
        if (found.isCommon()) {
            byLabels.put(required, found);
        }
        return found;
    }
}
