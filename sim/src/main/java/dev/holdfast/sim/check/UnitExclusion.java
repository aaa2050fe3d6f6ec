package dev.holdfast.sim.check;

import dev.holdfast.model.Fence;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invariants 1 and 5 of a fleet: no unit is worked on by two who both believe in it, nor twice at once in one process; and
 * a worker that may believe in it no longer is told to stop, by itself.
 *
 * <p>Where units are stolen by force, several workers may believe for a while, and one may hear of its grant after the
 * thief has begun. Then their fences tell them apart, and each worker that was stolen from must know in time, counted from
 * the theft that it suffered: a unit that is stolen again meanwhile gives the first worker no more time, and takes none
 * from the second.
 */
final class UnitExclusion implements Checker {
    /** Half the term of any fleet that is simulated, as with leases that nobody works on. */
    private static final long TOLD_WITHIN_NANOS = 1_000_000_000L;

    private final Checks checks;
    private final World world;
    private final Map<String, List<Work>> works = new HashMap<>();
    private final Map<Work, Long> overSince = new HashMap<>();
    private final Map<String, Fence> newest = new HashMap<>();
    private final Map<Work, Long> stolenSince = new HashMap<>();
    private @Nullable Duration stolenToldWithin;

    UnitExclusion(Checks checks, World world) {
        this.checks = checks;
        this.world = world;
    }

    void mayBeStolen(Duration toldWithin) {
        stolenToldWithin = toldWithin;
    }

    @Override
    public void worked(Work work) {
        List<Work> ofUnit = works.computeIfAbsent(work.name(), it -> new ArrayList<>());
        ofUnit.removeIf(it -> !it.isGoingOn());
        for (Work other : ofUnit) {
            if (other.process() == work.process()) {
                checks.violated("1, callbacks follow one another", work + " begins before " + other + " has stopped");
            } else if (!isToldApart(work, other)) {
                checks.violated("2, fences grow", work + " begins after " + other);
            }
        }
        ofUnit.add(work);
        Fence fence = work.unit().fence();
        newest.merge(work.name(), fence, (known, begun) -> begun.isAbove(known) ? begun : known);
        check(ofUnit);
    }

    private boolean isToldApart(Work later, Work earlier) {
        Fence fence = later.unit().fence();
        return fence.isAbove(earlier.unit().fence())
                || (stolenToldWithin != null && earlier.unit().fence().isAbove(fence));
    }

    @Override
    public void renewed(SimProcess process) {
        works.values().forEach(this::check);
    }

    private void check(List<Work> ofUnit) {
        Duration within = stolenToldWithin;
        if (within != null) {
            ofUnit.forEach(work -> checkStolen(work, within));
            return;
        }
        List<Work> believed = ofUnit.stream().filter(UnitExclusion::isAtWork).toList();
        if (believed.size() > 1) {
            checks.violated("1, one worker at a time", "worked on at once: " + believed);
        }
    }

    private void checkStolen(Work work, Duration within) {
        Fence above = newest.getOrDefault(work.name(), Fence.NONE);
        if (!isAtWork(work) || !above.isAbove(work.unit().fence())) {
            stolenSince.remove(work);
            return;
        }
        long since = stolenSince.computeIfAbsent(work, it -> world.nowNanos());
        if (world.nowNanos() - since > within.toNanos()) {
            checks.violated(
                    "1, one worker at a time",
                    work + " is believed in " + within + " after a worker began with fence " + above);
        }
    }

    private static boolean isAtWork(Work work) {
        return work.isGoingOn() && work.isBelieved();
    }

    @Override
    public void tick() {
        works.values().forEach(ofUnit -> ofUnit.forEach(this::checkTold));
        if (stolenToldWithin != null) {
            works.values().forEach(this::check);
        }
    }

    private void checkTold(Work work) {
        boolean shouldKnow = work.isGoingOn()
                && !work.isToldToStop()
                && !work.isBelieved()
                && !work.process().isPaused();
        if (!shouldKnow) {
            overSince.remove(work);
        } else if (world.nowNanos() - overSince.computeIfAbsent(work, it -> world.nowNanos()) > TOLD_WITHIN_NANOS) {
            checks.violated("5, a worker is told to stop", "nobody told the worker of " + work);
        }
    }
}
