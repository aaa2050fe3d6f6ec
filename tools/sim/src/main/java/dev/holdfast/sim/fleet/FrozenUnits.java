package dev.holdfast.sim.fleet;

import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariant 9 of a fleet. While it is frozen, no unit moves from a worker that lives. It applies where workers only die
 * by crashes: a worker that is cut off counts as dead, though it is alive.
 *
 * <p>A unit counts from the moment when the planner knows of the freeze, and all workers follow its assignments. Before
 * that, the unit may be on its way to another worker. Or its worker has crashed, has returned, and follows an old
 * assignment for a moment, although the planner has given the unit to another worker.
 */
final class FrozenUnits extends InvariantChecker {
    private final StoredOrders orders;
    private final Map<String, UnitWork> now = new HashMap<>();
    private final Map<String, UnitWork> settled = new HashMap<>();

    FrozenUnits(StoredOrders orders) {
        this.orders = orders;
    }

    @Override
    public void tick() {
        if (!orders.isFrozen()) {
            settled.clear();
        } else if (orders.isFollowed()) {
            now.values().stream()
                    .filter(work -> work.isGoingOn() && !work.isStopRequested())
                    .forEach(work -> settled.put(work.name(), work));
        }
        settled.values().removeIf(work -> !work.isOfThisLife());
    }

    @Override
    public void worked(UnitWork work) {
        now.put(work.name(), work);
        UnitWork before = settled.remove(work.name());
        boolean moved = before != null && before.process() != work.process() && before.isOfThisLife();
        if (moved && orders.isFrozen()) {
            violated("9, a frozen fleet moves nothing", work + " was moved from " + before);
        }
    }
}
