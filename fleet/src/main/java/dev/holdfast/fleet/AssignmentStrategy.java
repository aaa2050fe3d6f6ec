package dev.holdfast.fleet;

import dev.holdfast.fleet.internal.balance.AssignByCount;
import dev.holdfast.fleet.internal.balance.AssignByWeight;
import dev.holdfast.fleet.internal.balance.SpreadOverLabel;

/**
 * The rule by which the planner assigns units to workers. It is a pure function: the same situation gives the same
 * result, and it uses no other input.
 *
 * <p>A strategy should leave units where they are unless balance requires a move. Every moved unit is stopped on one
 * worker and started on another. The planner may postpone moves, or make only some of them at a time. It then calls the
 * strategy again with the resulting situation.
 */
public interface AssignmentStrategy {
    /** Stands for no worker: the unit has none, or no worker may have it. */
    int UNASSIGNED = -1;

    /** Returns, for each unit, the number of its worker, or {@link #UNASSIGNED}. */
    int[] assign(FleetSituation fleetSituation);

    /**
     * Gives each worker the same number of units, to within one, with as few moves as possible.
     *
     * <p>If units require labels, as many units as possible are placed, even if others must be moved to make room. The
     * numbers of units of two workers then differ by more than one only where requirements or capacities leave no other
     * choice. If units prefer labels, units are exchanged between workers, as long as that honours more preferences.
     * Balance is more important than preferences.
     */
    static AssignmentStrategy byCount() {
        return new AssignByCount();
    }

    /**
     * Gives each worker the same total weight. The heaviest and the lightest worker differ by at most the lightest unit
     * of the heaviest worker, or by more if requirements or capacities leave no other choice. Preferences are honoured by
     * exchanging units of equal weight.
     */
    static AssignmentStrategy byWeight() {
        return new AssignByWeight();
    }

    /** Same as {@link #spreadOver(String, AssignmentStrategy)}, with {@link #byCount} for the workers of one value. */
    static AssignmentStrategy spreadOver(String label) {
        return new SpreadOverLabel(label, byCount());
    }

    /**
     * Spreads units over the values of a label, for example over zones. The units of each {@linkplain FleetSituation#group
     * group} are spread separately; units without a group form one group. For each group, the numbers of units with two
     * values differ by at most one. They differ by more only where requirements or capacities leave no other choice, or if
     * only exchanges of three or more units would help.
     *
     * <p>The values count, not the number of their workers. With two workers in zone a and one in zone b, each zone has
     * half of the units. Workers without the label count as one more value.
     *
     * @param within balances the workers of each value
     */
    static AssignmentStrategy spreadOver(String label, AssignmentStrategy within) {
        return new SpreadOverLabel(label, within);
    }
}
