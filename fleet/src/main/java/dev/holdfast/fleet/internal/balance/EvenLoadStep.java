package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.internal.balance.UnitKinds.UnitKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The step that makes the numbers of units per worker more even. Within a zone it uses chains of moves: at its end, no
 * chain leads from a worker to one with at least two fewer units. Between zones it uses single moves that do not make the
 * spread of a group worse.
 *
 * <p>Each chain or move reduces the sum of the squared loads, so it ends.
 */
final class EvenLoadStep {
    private final LabelledPlan plan;
    private final RoomChains chains;

    EvenLoadStep(LabelledPlan plan) {
        this.plan = plan;
        this.chains = new RoomChains(plan);
    }

    /** Returns whether the plan has changed. */
    boolean run() {
        boolean changed = false;
        for (boolean again = true; again; changed |= again) {
            again = false;
            for (int zone = 0; zone < plan.zones(); zone++) {
                again |= evenOut(zone);
            }
            again |= plan.zones() > 1 && moveBetweenZones();
        }
        return changed;
    }

    private boolean evenOut(int zone) {
        BitSet members = new BitSet();
        plan.byLoad(zone).forEach(members::set);
        boolean changed = false;
        for (boolean again = true; again; changed |= again) {
            again = pass(zone, members);
        }
        return changed;
    }

    /** Tries each worker of a zone once, those with the most units first, until it can do no more. */
    private boolean pass(int zone, BitSet members) {
        boolean changed = false;
        BitSet settled = new BitSet();
        while (true) {
            Integer from = highest(zone, settled);
            Integer lowest = lowestWithRoom(zone);
            if (from == null || lowest == null || plan.load(from) - plan.load(lowest) < 2) {
                return changed;
            }
            if (moveDirectly(from, lowest) || shiftFrom(from, members)) {
                changed = true;
            } else {
                // None of the reached workers has more units than this one, and none can reach another worker.
                settled.or(chains.reached());
                settled.set(from);
            }
        }
    }

    private @Nullable Integer highest(int zone, BitSet settled) {
        for (Integer worker : plan.byLoad(zone).descendingSet()) {
            if (!settled.get(worker)) {
                return worker;
            }
        }
        return null;
    }

    private @Nullable Integer lowestWithRoom(int zone) {
        for (Integer worker : plan.byLoad(zone)) {
            if (plan.hasRoom(worker)) {
                return worker;
            }
        }
        return null;
    }

    private boolean moveDirectly(int from, int to) {
        UnitKind best = null;
        for (UnitKind kind : plan.kindsOf(from)) {
            boolean fits = kind.isSuitable(to) && plan.unitFor(from, kind, to) != null;
            if (fits && (best == null || gain(kind, from, to) > gain(best, from, to))) {
                best = kind;
            }
        }
        Integer unit = best == null ? null : plan.unitFor(from, best, to);
        if (unit != null) {
            plan.move(unit, to);
        }
        return unit != null;
    }

    private static int gain(UnitKind kind, int from, int to) {
        return kind.preference(to) - kind.preference(from);
    }

    private boolean shiftFrom(int from, BitSet members) {
        BitSet root = new BitSet();
        root.set(from);
        Integer end = chains.search(root, members, to -> plan.hasRoom(to) && plan.load(from) - plan.load(to) >= 2);
        return end != null && chains.shift(end);
    }

    private boolean moveBetweenZones() {
        boolean changed = false;
        List<Integer> workers = new ArrayList<>();
        for (int zone = 0; zone < plan.zones(); zone++) {
            workers.addAll(plan.byLoad(zone));
        }
        workers.sort(Comparator.comparingInt(worker -> -plan.load(worker)));
        for (int from : workers) {
            while (moveToAnotherZone(from)) {
                changed = true;
            }
        }
        return changed;
    }

    private boolean moveToAnotherZone(int from) {
        for (int zone = 0; zone < plan.zones(); zone++) {
            Integer lowest = zone == plan.zone(from) ? null : lowestWithRoom(zone);
            if (lowest != null && plan.load(from) - plan.load(lowest) >= 2 && moveTo(zone, from)) {
                return true;
            }
        }
        return false;
    }

    private boolean moveTo(int zone, int from) {
        for (UnitKind kind : plan.kindsOf(from)) {
            Integer to = plan.leastLoaded(zone, kind);
            if (to != null && plan.load(from) - plan.load(to) >= 2 && plan.isNeutral(kind, from, to)) {
                Integer unit = plan.unitFor(from, kind, to);
                if (unit != null) {
                    plan.move(unit, to);
                    return true;
                }
            }
        }
        return false;
    }
}
