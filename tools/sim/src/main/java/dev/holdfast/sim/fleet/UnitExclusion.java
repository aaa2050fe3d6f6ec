package dev.holdfast.sim.fleet;

import dev.holdfast.Fence;
import dev.holdfast.sim.check.CheckerSet;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invariants 1 and 5 of a fleet. No unit has two workers with a valid lease, nor is it worked on twice at once in one
 * process. A worker with an expired lease is stopped by its own client.
 *
 * <p>Where units are stolen by force, several workers may consider their leases valid for a while. A worker may even
 * receive its grant after the thief has begun. Then their fences order them, and each former worker must stop in time,
 * counted from its own loss. A second theft gives the first worker no more time, and the second worker no less.
 */
public final class UnitExclusion implements InvariantChecker {
    /** Half the term of every simulated fleet, like for plain leases in {@code LossReported}. */
    private static final long STOP_WITHIN_NANOS = 1_000_000_000L;

    private final CheckerSet checkerSet;
    private final SimWorld simWorld;
    private final Map<String, List<UnitWork>> works = new HashMap<>();
    private final Map<UnitWork, Long> overSince = new HashMap<>();
    private final Map<String, Fence> newest = new HashMap<>();
    private final Map<UnitWork, Long> stolenSince = new HashMap<>();
    /** Null if units must not be stolen. */
    private @Nullable Duration stopWithin;

    public UnitExclusion(CheckerSet checkerSet, SimWorld simWorld) {
        this.checkerSet = checkerSet;
        this.simWorld = simWorld;
    }

    /** Allows units to be stolen. The former worker must then stop within {@code within}. */
    public void mayBeStolen(Duration within) {
        stopWithin = within;
    }

    @Override
    public void worked(UnitWork unitWork) {
        List<UnitWork> ofUnit = works.computeIfAbsent(unitWork.name(), it -> new ArrayList<>());
        ofUnit.removeIf(it -> !it.isGoingOn());
        for (UnitWork other : ofUnit) {
            if (other.process() == unitWork.process()) {
                checkerSet.violated(
                        "1, callbacks follow one another", unitWork + " begins before " + other + " has stopped");
            } else if (!isOrderedByFence(unitWork, other)) {
                checkerSet.violated("2, fences grow", unitWork + " begins after " + other);
            }
        }
        ofUnit.add(unitWork);
        Fence fence = unitWork.unit().fence();
        newest.merge(unitWork.name(), fence, (known, begun) -> begun.isAbove(known) ? begun : known);
        check(ofUnit);
    }

    private boolean isOrderedByFence(UnitWork later, UnitWork earlier) {
        Fence fence = later.unit().fence();
        return fence.isAbove(earlier.unit().fence())
                || (stopWithin != null && earlier.unit().fence().isAbove(fence));
    }

    @Override
    public void renewed(SimProcess process) {
        works.values().forEach(this::check);
    }

    private void check(List<UnitWork> ofUnit) {
        Duration within = stopWithin;
        if (within != null) {
            ofUnit.forEach(unitWork -> checkStolen(unitWork, within));
            return;
        }
        List<UnitWork> atWork = ofUnit.stream().filter(UnitExclusion::isAtWork).toList();
        if (atWork.size() > 1) {
            checkerSet.violated("1, one worker at a time", "worked on at the same time: " + atWork);
        }
    }

    private void checkStolen(UnitWork unitWork, Duration within) {
        Fence above = newest.getOrDefault(unitWork.name(), Fence.NONE);
        if (!isAtWork(unitWork) || !above.isAbove(unitWork.unit().fence())) {
            stolenSince.remove(unitWork);
            return;
        }
        long since = stolenSince.computeIfAbsent(unitWork, it -> simWorld.nowNanos());
        if (simWorld.nowNanos() - since > within.toNanos()) {
            checkerSet.violated(
                    "1, one worker at a time",
                    unitWork + " is still valid " + within + " after a worker began with fence " + above);
        }
    }

    private static boolean isAtWork(UnitWork unitWork) {
        return unitWork.isGoingOn() && unitWork.isBelieved();
    }

    @Override
    public void tick() {
        works.values().forEach(ofUnit -> ofUnit.forEach(this::checkRevoked));
        if (stopWithin != null) {
            works.values().forEach(this::check);
        }
    }

    private void checkRevoked(UnitWork unitWork) {
        boolean shouldBeRevoked = unitWork.isGoingOn()
                && !unitWork.isToldToStop()
                && !unitWork.isBelieved()
                && !unitWork.process().isPaused();
        if (!shouldBeRevoked) {
            overSince.remove(unitWork);
        } else if (simWorld.nowNanos() - overSince.computeIfAbsent(unitWork, it -> simWorld.nowNanos())
                > STOP_WITHIN_NANOS) {
            checkerSet.violated("5, a worker is notified to stop", "no notification to the worker of " + unitWork);
        }
    }
}
