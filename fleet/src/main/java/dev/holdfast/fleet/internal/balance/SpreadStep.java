package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.internal.balance.UnitKinds.UnitKind;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The step that makes the spread of each group over the zones more even. It moves units, one at a time, from a zone with
 * more units of the group to a zone with at least two fewer. If there is no room, it exchanges a unit with one of another
 * group, if that does not make the spread of the other group worse. It ends when there is no such move or exchange.
 *
 * <p>Each of them reduces the sum of the squared counts, so it ends.
 */
final class SpreadStep {
    private final LabelledPlan plan;

    SpreadStep(LabelledPlan plan) {
        this.plan = plan;
    }

    /** Returns whether the plan has changed. */
    boolean run() {
        boolean changed = false;
        if (plan.zones() > 1) {
            for (int group : plan.groupsWithSeveralUnitsInAZone()) {
                changed |= improve(group);
            }
        }
        return changed;
    }

    private boolean improve(int group) {
        NavigableSet<Integer> zones = new TreeSet<>(Comparator.<Integer>comparingInt(zone -> plan.count(group, zone))
                .thenComparing(zone -> zone));
        for (int zone = 0; zone < plan.zones(); zone++) {
            if (!plan.byLoad(zone).isEmpty()) {
                zones.add(zone);
            }
        }
        boolean changed = false;
        while (improveOnce(group, zones)) {
            changed = true;
        }
        return changed;
    }

    private boolean improveOnce(int group, NavigableSet<Integer> zones) {
        if (zones.size() < 2 || plan.count(group, zones.last()) - plan.count(group, zones.first()) < 2) {
            return false;
        }
        if (improve(group, zones, zones.last(), zones.first())) {
            return true; // The usual case, in which the copies below would cost more than the move.
        }
        for (int from : List.copyOf(zones.descendingSet())) {
            for (int to : List.copyOf(zones)) {
                if (plan.count(group, from) - plan.count(group, to) < 2) {
                    break;
                }
                if (improve(group, zones, from, to)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean improve(int group, NavigableSet<Integer> zones, int from, int to) {
        zones.remove(from);
        zones.remove(to);
        boolean improved = moveOne(group, from, to) || swapOne(group, from, to);
        zones.add(from);
        zones.add(to);
        return improved;
    }

    private boolean moveOne(int group, int fromZone, int toZone) {
        for (UnitKind kind : plan.kinds.ofGroup(group)) {
            Integer to = plan.leastLoaded(toZone, kind);
            if (to != null) {
                for (Integer from : plan.byLoad(fromZone).descendingSet()) {
                    Integer unit = plan.has(from, kind) ? plan.unitFor(from, kind, to) : null;
                    if (unit != null) {
                        plan.move(unit, to);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean swapOne(int group, int fromZone, int toZone) {
        for (UnitKind kind : plan.kinds.ofGroup(group)) {
            for (Integer from : plan.byLoad(fromZone).descendingSet()) {
                if (plan.has(from, kind) && swapOne(kind, from, toZone)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean swapOne(UnitKind kind, int from, int toZone) {
        for (Integer to : plan.byLoad(toZone)) {
            Integer unit = kind.isSuitable(to) ? plan.unitFor(from, kind, to) : null;
            Integer other = unit == null ? null : partner(kind, from, to);
            if (unit != null && other != null) {
                plan.swap(unit, other);
                return true;
            }
        }
        return false;
    }

    /** Returns a unit of another group that can go the other way. */
    private @Nullable Integer partner(UnitKind kind, int from, int to) {
        for (UnitKind other : plan.kindsOf(to)) {
            boolean fits = other.group() != kind.group() && other.isSuitable(from) && plan.isNeutral(other, to, from);
            Integer unit = fits ? plan.unitFor(to, other, from) : null;
            if (unit != null) {
                return unit;
            }
        }
        return null;
    }
}
