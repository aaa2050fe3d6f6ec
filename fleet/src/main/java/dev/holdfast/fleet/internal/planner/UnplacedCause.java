package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.UnplacedReason;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cause why units have no worker in a situation. The workers are examined once, and not for each unit, because
 * there may be very many of both.
 */
final class UnplacedCause {
    private final SituationTable situation;
    private final int[] open;
    /** The reason that applies to all units; null if there is a worker that takes units. */
    private final @Nullable UnplacedReason common;

    UnplacedCause(SituationTable situation) {
        this.situation = situation;
        this.open = IntStream.range(0, situation.workers())
                .filter(worker -> !situation.isLeaving(worker) && !situation.isDrained(worker))
                .toArray();
        boolean isDraining = IntStream.range(0, situation.workers()).anyMatch(worker -> !situation.isLeaving(worker));
        UnplacedReason ifNone = isDraining ? UnplacedReason.ALL_DRAINING : UnplacedReason.NO_WORKER;
        this.common = open.length == 0 ? ifNone : null;
    }

    /** Returns why no worker can have the unit, or why no other worker can take it from a draining one. */
    UnplacedReason reason(int unit) {
        if (common != null) {
            return common;
        }
        boolean isResting =
                situation.hasFailed(unit) && IntStream.of(open).noneMatch(worker -> situation.mayHave(worker, unit));
        return isResting ? UnplacedReason.RESTING : UnplacedReason.NO_ROOM;
    }
}
