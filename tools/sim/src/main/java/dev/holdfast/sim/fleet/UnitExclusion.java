package dev.holdfast.sim.fleet;

import dev.holdfast.Fence;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
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
final class UnitExclusion extends InvariantChecker {
    /** Half the term of every simulated fleet, like for plain leases in {@code LossReported}. */
    private static final long STOP_WITHIN_NANOS = 1_000_000_000L;

    private final Map<String, List<UnitWork>> works = new HashMap<>();
    private final Map<UnitWork, Long> overSince = new HashMap<>();
    private final Map<String, Fence> newest = new HashMap<>();
    private final Map<UnitWork, Long> stolenSince = new HashMap<>();
    private final @Nullable Duration stopWithin;

    /**
     * @param stopWithin the time within which the former worker of a stolen unit must stop; null if units must not be
     *     stolen
     */
    UnitExclusion(@Nullable Duration stopWithin) {
        this.stopWithin = stopWithin;
    }

    @Override
    public void worked(UnitWork work) {
        List<UnitWork> ofUnit = works.computeIfAbsent(work.name(), it -> new ArrayList<>());
        ofUnit.removeIf(it -> !it.isGoingOn());
        for (UnitWork other : ofUnit) {
            if (other.process() == work.process()) {
                violated("1, callbacks follow one another", work + " begins before " + other + " has stopped");
            } else if (!isOrderedByFence(work, other)) {
                violated("2, fences grow", work + " begins after " + other);
            }
        }
        ofUnit.add(work);
        Fence fence = work.unit().fence();
        newest.merge(work.name(), fence, (known, begun) -> begun.isAbove(known) ? begun : known);
        check(ofUnit);
    }

    private boolean isOrderedByFence(UnitWork later, UnitWork earlier) {
        Fence fence = later.unit().fence();
        return fence.isAbove(earlier.unit().fence())
                || (stopWithin != null && earlier.unit().fence().isAbove(fence));
    }

    @Override
    public void renewed() {
        works.values().forEach(this::check);
    }

    private void check(List<UnitWork> ofUnit) {
        Duration within = stopWithin;
        if (within != null) {
            ofUnit.forEach(work -> checkStolen(work, within));
            return;
        }
        List<UnitWork> atWork = ofUnit.stream().filter(UnitWork::isAtWork).toList();
        if (atWork.size() > 1) {
            violated("1, one worker at a time", "worked on at the same time: " + atWork);
        }
    }

    private void checkStolen(UnitWork work, Duration within) {
        Fence above = newest.getOrDefault(work.name(), Fence.NONE);
        if (!work.isAtWork() || !above.isAbove(work.unit().fence())) {
            stolenSince.remove(work);
            return;
        }
        long since = stolenSince.computeIfAbsent(work, it -> nowNanos());
        if (nowNanos() - since > within.toNanos()) {
            violated(
                    "1, one worker at a time",
                    work + " is still valid " + within + " after a worker began with fence " + above);
        }
    }

    @Override
    public void tick() {
        works.values().forEach(ofUnit -> ofUnit.forEach(this::checkRevoked));
        if (stopWithin != null) {
            works.values().forEach(this::check);
        }
    }

    private void checkRevoked(UnitWork work) {
        boolean shouldBeRevoked = work.isGoingOn()
                && !work.isStopRequested()
                && !work.isValid()
                && !work.process().isPaused();
        if (!shouldBeRevoked) {
            overSince.remove(work);
        } else if (nowNanos() - overSince.computeIfAbsent(work, it -> nowNanos()) > STOP_WITHIN_NANOS) {
            violated("5, a worker is notified to stop", "no notification to the worker of " + work);
        }
    }
}
