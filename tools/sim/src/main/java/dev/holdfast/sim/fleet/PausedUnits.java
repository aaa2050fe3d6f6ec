package dev.holdfast.sim.fleet;

import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
import java.util.HashSet;
import java.util.Set;

/**
 * Invariant 8 of a fleet. Once the hand-over of a paused unit has completed, no worker begins it until it is resumed,
 * whatever happens to the planner. The hand-over has completed when no assignment contains the unit, no worker holds
 * it, and all workers follow their newest assignments.
 */
final class PausedUnits extends InvariantChecker {
    private final StoredOrders orders;
    private final Set<String> stopped = new HashSet<>();

    PausedUnits(StoredOrders orders) {
        this.orders = orders;
    }

    @Override
    public void tick() {
        Set<String> paused = orders.paused();
        stopped.retainAll(paused);
        if (paused.size() > stopped.size() && orders.isFollowed()) {
            paused.stream().filter(unit -> !orders.isInHands(unit)).forEach(stopped::add);
        }
    }

    @Override
    public void worked(UnitWork work) {
        if (stopped.contains(work.name()) && orders.paused().contains(work.name())) {
            violated("8, a paused unit has no worker", work + " begins, although the unit is paused");
        }
    }
}
