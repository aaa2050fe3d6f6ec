package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetSituation;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A strategy that gives every worker the same number of units, to within one. It computes a quota per worker, takes
 * units from workers above their quota, and fills up the workers below it.
 *
 * <p>Quotas differ by at most one, except where a worker's capacity is smaller. Workers that already have the most
 * units get the larger quotas. Any other choice would leave more units above the quotas, so this one moves the fewest
 * units of all balanced plans.
 *
 * <p>Quotas do not suffice if units have conditions on labels: see {@link LabelledBalance}.
 */
public final class AssignByCount implements AssignmentStrategy {
    @Override
    public int[] assign(FleetSituation fleetSituation) {
        if (UnitKinds.haveConditions(fleetSituation)) {
            return LabelledBalance.byCount(fleetSituation);
        }
        AssignmentDraft draft = new AssignmentDraft(fleetSituation);
        int[] quotas = quotas(draft);
        // Unassigned units come first: they cannot wait, whereas moves may be postponed.
        int[] orphans = draft.unplaced();
        fill(draft, quotas, orphans);
        fill(draft, quotas, shed(draft, quotas));
        return draft.plan;
    }

    private static int[] quotas(AssignmentDraft draft) {
        FleetSituation fleetSituation = draft.situation;
        int units = fleetSituation.units();
        int level = level(fleetSituation, units);
        int[] quotas = new int[fleetSituation.workers()];
        int left = units;
        for (int worker = 0; worker < quotas.length; worker++) {
            quotas[worker] = Math.min(level, fleetSituation.capacity(worker));
            left -= quotas[worker];
        }
        IntStream.range(0, quotas.length)
                .filter(worker -> fleetSituation.capacity(worker) > level)
                .boxed()
                .sorted(Comparator.comparingInt(worker -> -draft.counts[worker]))
                .limit(left)
                .forEach(worker -> quotas[worker]++);
        return quotas;
    }

    /** The largest count that every worker with enough capacity can have, given this number of units. */
    private static int level(FleetSituation fleetSituation, int units) {
        int low = 0;
        int high = units;
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            long needed = IntStream.range(0, fleetSituation.workers())
                    .mapToLong(worker -> Math.min(middle, fleetSituation.capacity(worker)))
                    .sum();
            if (needed <= units) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static int[] shed(AssignmentDraft draft, int[] quotas) {
        IntStream.Builder shed = IntStream.builder();
        for (int unit = draft.plan.length - 1; unit >= 0; unit--) {
            int worker = draft.plan[unit];
            if (worker != UNASSIGNED && draft.counts[worker] > quotas[worker]) {
                draft.take(unit);
                shed.add(unit);
            }
        }
        return shed.build().toArray();
    }

    private static void fill(AssignmentDraft draft, int[] quotas, int[] units) {
        Round round = new Round(draft, quotas);
        for (int unit : units) {
            int worker = round.next(unit);
            if (worker == UNASSIGNED) {
                worker = leastLoaded(draft, unit);
            }
            if (worker != UNASSIGNED) {
                draft.place(unit, worker);
            }
        }
    }

    /**
     * A round-robin over the workers below their quota. Without it, a new worker would get all units of a worker that
     * died.
     */
    private static final class Round {
        private final AssignmentDraft draft;
        private final int[] quotas;
        private final int[] open;
        private int size;
        private int at;

        Round(AssignmentDraft draft, int[] quotas) {
            this.draft = draft;
            this.quotas = quotas;
            this.open = IntStream.range(0, quotas.length)
                    .filter(worker -> draft.counts[worker] < quotas[worker])
                    .toArray();
            this.size = open.length;
        }

        int next(int unit) {
            for (int tries = size; tries > 0 && size > 0; tries--) {
                at = at >= size ? 0 : at;
                int worker = open[at];
                if (draft.counts[worker] >= quotas[worker]) {
                    open[at] = open[--size];
                } else {
                    at++;
                    if (draft.situation.mayHave(worker, unit)) {
                        return worker;
                    }
                }
            }
            return UNASSIGNED;
        }
    }

    /**
     * Returns the worker with room that has the fewest units, for a unit that no worker below its quota may have. A
     * slight imbalance is better than an idle unit.
     */
    private static int leastLoaded(AssignmentDraft draft, int unit) {
        return IntStream.range(0, draft.counts.length)
                .filter(worker -> draft.hasRoom(worker) && draft.situation.mayHave(worker, unit))
                .boxed()
                .min(Comparator.comparingInt(worker -> draft.counts[worker]))
                .orElse(UNASSIGNED);
    }
}
