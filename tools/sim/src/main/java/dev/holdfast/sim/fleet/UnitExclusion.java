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
 * Invariants 1 and 5 of a fleet: no unit is worked on by two who both believe in it, nor twice at once in one process;
 * and a worker that may believe in it no longer is told to stop, by itself.
 *
 * <p>Where units are stolen by force, several workers may believe for a while, and one may hear of its grant after the
 * thief has begun. Then their fences tell them apart, and each worker that was stolen from must know in time, counted
 * from the theft that it suffered: a unit that is stolen again meanwhile gives the first worker no more time, and takes
 * none from the second.
 */
public final class UnitExclusion implements InvariantChecker {
    /** Half the term of any fleet that is simulated, as with leases that nobody works on. */
    private static final long TOLD_WITHIN_NANOS = 1_000_000_000L;

    private final CheckerSet checkerSet;
    private final SimWorld simWorld;
    private final Map<String, List<UnitWork>> works = new HashMap<>();
    private final Map<UnitWork, Long> overSince = new HashMap<>();
    private final Map<String, Fence> newest = new HashMap<>();
    private final Map<UnitWork, Long> stolenSince = new HashMap<>();
    private @Nullable Duration stolenToldWithin;

    public UnitExclusion(CheckerSet checkerSet, SimWorld simWorld) {
        this.checkerSet = checkerSet;
        this.simWorld = simWorld;
    }

    public void mayBeStolen(Duration toldWithin) {
        stolenToldWithin = toldWithin;
    }

    @Override
    public void worked(UnitWork unitWork) {
        List<UnitWork> ofUnit = works.computeIfAbsent(unitWork.name(), it -> new ArrayList<>());
        ofUnit.removeIf(it -> !it.isGoingOn());
        for (UnitWork other : ofUnit) {
            if (other.process() == unitWork.process()) {
                checkerSet.violated(
                        "1, callbacks follow one another", unitWork + " begins before " + other + " has stopped");
            } else if (!isToldApart(unitWork, other)) {
                checkerSet.violated("2, fences grow", unitWork + " begins after " + other);
            }
        }
        ofUnit.add(unitWork);
        Fence fence = unitWork.unit().fence();
        newest.merge(unitWork.name(), fence, (known, begun) -> begun.isAbove(known) ? begun : known);
        check(ofUnit);
    }

    private boolean isToldApart(UnitWork later, UnitWork earlier) {
        Fence fence = later.unit().fence();
        return fence.isAbove(earlier.unit().fence())
                || (stolenToldWithin != null && earlier.unit().fence().isAbove(fence));
    }

    @Override
    public void renewed(SimProcess process) {
        works.values().forEach(this::check);
    }

    private void check(List<UnitWork> ofUnit) {
        Duration within = stolenToldWithin;
        if (within != null) {
            ofUnit.forEach(unitWork -> checkStolen(unitWork, within));
            return;
        }
        List<UnitWork> believed =
                ofUnit.stream().filter(UnitExclusion::isAtWork).toList();
        if (believed.size() > 1) {
            checkerSet.violated("1, one worker at a time", "worked on at once: " + believed);
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
                    unitWork + " is believed in " + within + " after a worker began with fence " + above);
        }
    }

    private static boolean isAtWork(UnitWork unitWork) {
        return unitWork.isGoingOn() && unitWork.isBelieved();
    }

    @Override
    public void tick() {
        works.values().forEach(ofUnit -> ofUnit.forEach(this::checkTold));
        if (stolenToldWithin != null) {
            works.values().forEach(this::check);
        }
    }

    private void checkTold(UnitWork unitWork) {
        boolean shouldKnow = unitWork.isGoingOn()
                && !unitWork.isToldToStop()
                && !unitWork.isBelieved()
                && !unitWork.process().isPaused();
        if (!shouldKnow) {
            overSince.remove(unitWork);
        } else if (simWorld.nowNanos() - overSince.computeIfAbsent(unitWork, it -> simWorld.nowNanos())
                > TOLD_WITHIN_NANOS) {
            checkerSet.violated("5, a worker is told to stop", "nobody told the worker of " + unitWork);
        }
    }
}
