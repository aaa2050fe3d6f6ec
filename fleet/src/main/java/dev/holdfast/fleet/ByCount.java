package dev.holdfast.fleet;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Gives each worker a quota, takes what exceeds it, and fills up those that are below with that and with what nobody has.
 *
 * <p>Quotas differ by one at most, unless a worker's capacity is below. Those who already have most get the larger ones:
 * then what is taken is as little as any balanced plan must take, as every other choice of quotas leaves more above them.
 */
final class ByCount implements Strategy {
    @Override
    public int[] assign(Situation situation) {
        Draft draft = new Draft(situation);
        int[] quotas = quotas(draft);
        // What nobody has comes first: to place it cannot wait, whereas moves may be put off.
        int[] orphans = draft.unplaced();
        fill(draft, quotas, orphans);
        fill(draft, quotas, shed(draft, quotas));
        return draft.plan;
    }

    private static int[] quotas(Draft draft) {
        Situation situation = draft.situation;
        int units = situation.units();
        int level = level(situation, units);
        int[] quotas = new int[situation.workers()];
        int left = units;
        for (int worker = 0; worker < quotas.length; worker++) {
            quotas[worker] = Math.min(level, situation.capacity(worker));
            left -= quotas[worker];
        }
        IntStream.range(0, quotas.length)
                .filter(worker -> situation.capacity(worker) > level)
                .boxed()
                .sorted(Comparator.comparingInt(worker -> -draft.counts[worker]))
                .limit(left)
                .forEach(worker -> quotas[worker]++);
        return quotas;
    }

    /** The highest number that every worker whose capacity allows it can have, with what there is. */
    private static int level(Situation situation, int units) {
        int low = 0;
        int high = units;
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            long needed = IntStream.range(0, situation.workers())
                    .mapToLong(worker -> Math.min(middle, situation.capacity(worker)))
                    .sum();
            if (needed <= units) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static int[] shed(Draft draft, int[] quotas) {
        IntStream.Builder shed = IntStream.builder();
        for (int unit = draft.plan.length - 1; unit >= 0; unit--) {
            int worker = draft.plan[unit];
            if (worker != NOBODY && draft.counts[worker] > quotas[worker]) {
                draft.take(unit);
                shed.add(unit);
            }
        }
        return shed.build().toArray();
    }

    private static void fill(Draft draft, int[] quotas, int[] units) {
        Round round = new Round(draft, quotas);
        for (int unit : units) {
            int worker = round.next(unit);
            if (worker == NOBODY) {
                worker = leastLoaded(draft, unit);
            }
            if (worker != NOBODY) {
                draft.place(unit, worker);
            }
        }
    }

    /** Goes round those below their quota, so that one that comes new is not given all that belonged to one that died. */
    private static final class Round {
        private final Draft draft;
        private final int[] quotas;
        private final int[] open;
        private int size;
        private int at;

        Round(Draft draft, int[] quotas) {
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
            return NOBODY;
        }
    }

    /** For a unit that must rest where there is room for it: better a little out of balance than idle. */
    private static int leastLoaded(Draft draft, int unit) {
        return IntStream.range(0, draft.counts.length)
                .filter(worker -> draft.hasRoom(worker) && draft.situation.mayHave(worker, unit))
                .boxed()
                .min(Comparator.comparingInt(worker -> draft.counts[worker]))
                .orElse(NOBODY);
    }
}
