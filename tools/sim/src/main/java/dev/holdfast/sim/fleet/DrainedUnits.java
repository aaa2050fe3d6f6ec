package dev.holdfast.sim.fleet;

import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariant 10 of a fleet, in a run without faults. A drain leaves no unit idle for longer than a hand-over, and moves
 * no more units at a time than allowed.
 */
final class DrainedUnits extends InvariantChecker {
    /**
     * The longest time from the end of the work on one worker to its beginning on the next. The next worker waits for
     * the lease already; if it missed the release, its client looks again after a while.
     */
    static final Duration HAND_OVER = Duration.ofMillis(1500);

    private final StoredOrders orders;
    private final int maxMoves;
    private final Map<String, UnitWork> now = new HashMap<>();
    private final Map<String, Long> idleSince = new HashMap<>();

    DrainedUnits(StoredOrders orders, int maxMoves) {
        this.orders = orders;
        this.maxMoves = maxMoves;
    }

    @Override
    public void worked(UnitWork work) {
        now.put(work.name(), work);
        idleSince.remove(work.name());
    }

    @Override
    public void tick() {
        var drained = orders.drained();
        int moving = 0;
        for (UnitWork work : now.values()) {
            moving += work.isStopRequested() && drained.contains(work.process().name()) ? 1 : 0;
            // A unit that failed rests. Only one that was asked to stop is being moved.
            if (!work.isGoingOn() && work.isStopRequested()) {
                checkIdle(work, idleSince.computeIfAbsent(work.name(), it -> nowNanos()));
            }
        }
        if (moving > maxMoves) {
            violated(
                    "10, a drain moves a few units at a time", moving + " units are being moved, allowed: " + maxMoves);
        }
    }

    private void checkIdle(UnitWork work, long since) {
        boolean isDrained = orders.drained().contains(work.process().name());
        if (isDrained && nowNanos() - since > HAND_OVER.toNanos()) {
            violated(
                    "10, a drain leaves no unit idle", work + " has stopped, and no worker has begun for " + HAND_OVER);
        }
    }
}
