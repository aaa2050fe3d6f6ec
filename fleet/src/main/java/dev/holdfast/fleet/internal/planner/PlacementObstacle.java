package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.FleetSituation;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.UnplacedReason;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The reason why a unit has no worker in a plan.
 *
 * @param missing the required labels that no worker has; empty for other reasons
 */
record PlacementObstacle(UnplacedReason reason, LabelConditions missing) {
    static PlacementObstacle of(UnplacedReason reason) {
        return new PlacementObstacle(reason, LabelConditions.NONE);
    }

    /**
     * Returns the first reason that applies: labels, room, back-off.
     *
     * @param open the workers that take units; at least one
     * @param counts the number of units of each worker in the plan
     */
    static PlacementObstacle of(FleetSituation situation, int[] open, int[] counts, int unit) {
        LabelConditions required = situation.requires(unit);
        int[] suitable = IntStream.of(open)
                .filter(worker -> required.areMetBy(situation.labels(worker)))
                .toArray();
        if (suitable.length == 0) {
            return new PlacementObstacle(UnplacedReason.LABELS, missing(situation, open, required));
        }
        int[] withRoom = IntStream.of(suitable)
                .filter(worker -> counts[worker] < situation.capacity(worker))
                .toArray();
        if (withRoom.length == 0) {
            return of(UnplacedReason.NO_ROOM);
        }
        boolean isResting = IntStream.of(withRoom).noneMatch(worker -> situation.mayHave(worker, unit));
        return of(isResting ? UnplacedReason.RESTING : UnplacedReason.NOT_CHOSEN);
    }

    /** Returns the conditions that no worker meets. If each is met by some worker, but no worker meets all, returns all. */
    private static LabelConditions missing(FleetSituation situation, int[] open, LabelConditions required) {
        Predicate<String> isMet = label -> {
            LabelConditions condition = required.on(label::equals);
            return IntStream.of(open).anyMatch(worker -> condition.areMetBy(situation.labels(worker)));
        };
        LabelConditions unmet = required.on(isMet.negate());
        return unmet.isEmpty() ? required : unmet;
    }

    /** Whether the reason is the same for all units that require the same labels. */
    boolean isCommon() {
        return reason != UnplacedReason.RESTING && reason != UnplacedReason.NOT_CHOSEN;
    }
}
