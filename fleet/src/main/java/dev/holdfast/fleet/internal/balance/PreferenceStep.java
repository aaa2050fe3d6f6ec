package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.internal.balance.UnitKinds.UnitKind;
import org.jspecify.annotations.Nullable;

/**
 * The step that honours preferences as far as balance and spread allow. It moves a unit to a worker that meets more of its
 * preferences and has fewer units, or exchanges two units. It ends when no such move or exchange honours more preferences.
 * Each of them increases the number of honoured preferences, so it ends.
 */
final class PreferenceStep {
    /** Limits the work on fleets with very many kinds. The rest is done by the next plan. */
    private static final long STEPS_MAX = 20_000_000;

    private final LabelledPlan plan;
    private final boolean mayMove;
    private long steps;

    /** @param mayMove whether units may be moved; otherwise they are only exchanged for units of the same weight */
    PreferenceStep(LabelledPlan plan, boolean mayMove) {
        this.plan = plan;
        this.mayMove = mayMove;
    }

    /** Returns whether the plan has changed. */
    boolean run() {
        boolean changed = false;
        for (int worker = 0; worker < plan.situation.workers(); worker++) {
            for (UnitKind kind : plan.kindsOf(worker)) {
                while (plan.has(worker, kind) && steps < STEPS_MAX && improve(kind, worker)) {
                    changed = true;
                }
            }
        }
        return changed;
    }

    private boolean improve(UnitKind kind, int from) {
        for (int to : kind.candidates()) {
            steps++;
            if (kind.preference(to) <= kind.preference(from)) {
                return false;
            }
            Integer unit = plan.unitFor(from, kind, to);
            if (unit != null && (moveTo(to, unit, kind) || swapAt(to, unit, kind))) {
                return true;
            }
        }
        return false;
    }

    private boolean moveTo(int to, int unit, UnitKind kind) {
        int from = plan.plan[unit];
        boolean can = mayMove && plan.hasRoom(to) && plan.load(to) < plan.load(from) && plan.isNeutral(kind, from, to);
        if (can) {
            plan.move(unit, to);
        }
        return can;
    }

    private boolean swapAt(int to, int unit, UnitKind kind) {
        Integer other = partner(kind, plan.plan[unit], to);
        if (other != null) {
            plan.swap(unit, other);
        }
        return other != null;
    }

    private @Nullable Integer partner(UnitKind kind, int from, int to) {
        int gain = kind.preference(to) - kind.preference(from);
        for (UnitKind other : plan.kindsOf(to)) {
            steps++;
            boolean keepsSpread = other.group() == kind.group()
                    || plan.zone(from) == plan.zone(to)
                    || (plan.isNeutral(kind, from, to) && plan.isNeutral(other, to, from));
            boolean helps = gain + other.preference(from) - other.preference(to) > 0;
            boolean fits = helps && keepsSpread && other.isSuitable(from) && other.weight() == kind.weight();
            Integer unit = fits ? plan.unitFor(to, other, from) : null;
            if (unit != null) {
                return unit;
            }
        }
        return null;
    }
}
