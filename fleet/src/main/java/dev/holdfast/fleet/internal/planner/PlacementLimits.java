package dev.holdfast.fleet.internal.planner;

import static dev.holdfast.fleet.AssignmentStrategy.UNASSIGNED;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The limits that every plan obeys, whatever the strategy returned. No worker gets a unit that requires labels it lacks.
 * No more than an allowed number of units is moved from workers that could keep them. Moves that are postponed do not
 * make room, so then a worker gets a new unit only if it has room now.
 */
final class PlacementLimits {
    private final SituationTable situation;
    private final int[] now;
    private final int[] counts;
    private final List<List<Integer>> arrivals;

    private PlacementLimits(SituationTable situation, int[] now) {
        this.situation = situation;
        this.now = now;
        this.counts = new int[situation.workers()];
        this.arrivals = Stream.<List<Integer>>generate(ArrayList::new)
                .limit(situation.workers())
                .toList();
    }

    /** Returns a plan of a strategy without units on workers that lack their required labels. */
    static int[] withoutViolations(SituationTable situation, int[] planned) {
        int[] valid = planned.clone();
        for (int unit = 0; unit < valid.length; unit++) {
            if (valid[unit] != UNASSIGNED && !situation.hasRequiredLabels(valid[unit], unit)) {
                valid[unit] = UNASSIGNED;
            }
        }
        return valid;
    }

    /** Returns the worker of each unit for now. */
    static int[] apply(SituationTable situation, int[] next, PlanProposal.MoveLimits limits) {
        int[] now = next.clone();
        boolean postponed = false;
        int moved = 0;
        for (int unit = 0; unit < now.length; unit++) {
            int owner = situation.owner(unit);
            boolean isMove = owner != UNASSIGNED && now[unit] != owner && situation.canStay(owner, unit);
            if (isStranded(situation, next, unit)) {
                now[unit] = owner;
            } else if (isMove && moved < limit(situation, unit, limits)) {
                moved++;
            } else if (isMove) {
                now[unit] = owner;
                postponed = true;
            }
        }
        if (postponed) {
            new PlacementLimits(situation, now).returnArrivalsWithoutRoom();
        }
        return now;
    }

    /** Returns whether no other worker can take a unit from a draining one, which keeps it until another can. */
    static boolean isStranded(SituationTable situation, int[] next, int unit) {
        int owner = situation.owner(unit);
        return next[unit] == UNASSIGNED
                && owner != UNASSIGNED
                && situation.isDrained(owner)
                && situation.canStay(owner, unit);
    }

    private static int limit(SituationTable situation, int unit, PlanProposal.MoveLimits limits) {
        boolean isOrdered = situation.isDrained(situation.owner(unit)) || situation.orderedWorker(unit) != UNASSIGNED;
        return isOrdered ? limits.ordered() : limits.balancing();
    }

    /**
     * A unit that returns to its worker may take the room of another arrival there, so the check is repeated for that
     * worker. Each step takes back an arrival, so it ends.
     */
    private void returnArrivalsWithoutRoom() {
        for (int unit = 0; unit < now.length; unit++) {
            if (now[unit] != UNASSIGNED) {
                counts[now[unit]]++;
                if (now[unit] != situation.owner(unit)) {
                    arrivals.get(now[unit]).add(unit);
                }
            }
        }
        Deque<Integer> toCheck = new ArrayDeque<>();
        for (int worker = 0; worker < counts.length; worker++) {
            toCheck.add(worker);
        }
        while (!toCheck.isEmpty()) {
            int worker = toCheck.remove();
            List<Integer> arriving = arrivals.get(worker);
            while (counts[worker] > situation.capacity(worker) && !arriving.isEmpty()) {
                int unit = arriving.remove(arriving.size() - 1);
                int owner = situation.owner(unit);
                counts[worker]--;
                boolean returns = owner != UNASSIGNED && situation.canStay(owner, unit);
                now[unit] = returns ? owner : UNASSIGNED;
                if (returns) {
                    counts[owner]++;
                    toCheck.add(owner);
                }
            }
        }
    }
}
