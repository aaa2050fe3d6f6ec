package dev.holdfast.fleet;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Gives each worker a quota, takes what exceeds it, and fills up those that are below with that and with what nobody has.
 *
 * <p>Quotas differ by one at most, unless a worker's capacity is below. Those who already have most get the larger ones:
 * then what is taken is as little as any balanced plan must take, as every other choice of quotas leaves more above them.
 */
final class AssignByCount implements AssignmentStrategy {
    @Override
    public int[] assign(FleetSituation fleetSituation) {
        PlanDraft planDraft = new PlanDraft(fleetSituation);
        int[] quotas = quotas(planDraft);
        // What nobody has comes first: to place it cannot wait, whereas moves may be put off.
        int[] orphans = planDraft.unplaced();
        fill(planDraft, quotas, orphans);
        fill(planDraft, quotas, shed(planDraft, quotas));
        return planDraft.plan;
    }

    private static int[] quotas(PlanDraft planDraft) {
        FleetSituation fleetSituation = planDraft.situation;
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
                .sorted(Comparator.comparingInt(worker -> -planDraft.counts[worker]))
                .limit(left)
                .forEach(worker -> quotas[worker]++);
        return quotas;
    }

    /** The highest number that every worker whose capacity allows it can have, with what there is. */
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

    private static int[] shed(PlanDraft planDraft, int[] quotas) {
        IntStream.Builder shed = IntStream.builder();
        for (int unit = planDraft.plan.length - 1; unit >= 0; unit--) {
            int worker = planDraft.plan[unit];
            if (worker != NOBODY && planDraft.counts[worker] > quotas[worker]) {
                planDraft.take(unit);
                shed.add(unit);
            }
        }
        return shed.build().toArray();
    }

    private static void fill(PlanDraft planDraft, int[] quotas, int[] units) {
        Round round = new Round(planDraft, quotas);
        for (int unit : units) {
            int worker = round.next(unit);
            if (worker == NOBODY) {
                worker = leastLoaded(planDraft, unit);
            }
            if (worker != NOBODY) {
                planDraft.place(unit, worker);
            }
        }
    }

    /** Goes round those below their quota, so that one that comes new is not given all that belonged to one that died. */
    private static final class Round {
        private final PlanDraft planDraft;
        private final int[] quotas;
        private final int[] open;
        private int size;
        private int at;

        Round(PlanDraft planDraft, int[] quotas) {
            this.planDraft = planDraft;
            this.quotas = quotas;
            this.open = IntStream.range(0, quotas.length)
                    .filter(worker -> planDraft.counts[worker] < quotas[worker])
                    .toArray();
            this.size = open.length;
        }

        int next(int unit) {
            for (int tries = size; tries > 0 && size > 0; tries--) {
                at = at >= size ? 0 : at;
                int worker = open[at];
                if (planDraft.counts[worker] >= quotas[worker]) {
                    open[at] = open[--size];
                } else {
                    at++;
                    if (planDraft.situation.mayHave(worker, unit)) {
                        return worker;
                    }
                }
            }
            return NOBODY;
        }
    }

    /** For a unit that must rest where there is room for it: better a little out of balance than idle. */
    private static int leastLoaded(PlanDraft planDraft, int unit) {
        return IntStream.range(0, planDraft.counts.length)
                .filter(worker -> planDraft.hasRoom(worker) && planDraft.situation.mayHave(worker, unit))
                .boxed()
                .min(Comparator.comparingInt(worker -> planDraft.counts[worker]))
                .orElse(NOBODY);
    }
}
