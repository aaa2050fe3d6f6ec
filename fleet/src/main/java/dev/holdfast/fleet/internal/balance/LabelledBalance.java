package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.FleetSituation;
import java.util.function.IntUnaryOperator;

/**
 * The plan for a fleet whose units have conditions on labels, or are spread over a label. The aims, most important first:
 *
 * <ol>
 * <li>As many units as possible have a worker that may have them.
 * <li>The units of each group are spread evenly over the zones.
 * <li>The numbers of units per worker are even.
 * <li>Preferences are honoured.
 * </ol>
 *
 * Units start where they are. A step for one aim makes a move only if that aim gains and no aim before it loses. So the
 * steps end, and a plan that they made stays as it is when they are applied to it again.
 */
final class LabelledBalance {
    /** More than any plan needs: after the first two rounds only a few units are moved. */
    private static final int ROUNDS_MAX = 50;

    private LabelledBalance() {}

    /** Returns a plan by count. */
    static int[] byCount(FleetSituation situation) {
        int[] oneZone = new int[situation.workers()];
        return plan(situation, UnitKinds.byCount(situation), situation::owner, oneZone, true);
    }

    /**
     * Returns a plan that spreads the units of each group.
     *
     * @param workerOf the worker of each unit to start with
     * @param zoneOf the zone of each worker
     * @param isByCount whether the number of units per worker is made even
     */
    static int[] spread(FleetSituation situation, IntUnaryOperator workerOf, int[] zoneOf, boolean isByCount) {
        return plan(situation, UnitKinds.byGroup(situation), workerOf, zoneOf, isByCount);
    }

    private static int[] plan(
            FleetSituation situation, UnitKinds kinds, IntUnaryOperator workerOf, int[] zoneOf, boolean isByCount) {
        AssignmentDraft draft = new AssignmentDraft(situation, workerOf);
        LabelledPlan plan = new LabelledPlan(situation, kinds, draft.plan, zoneOf);
        new PlacementStep(plan).run();
        SpreadStep spread = new SpreadStep(plan);
        EvenLoadStep evenLoad = new EvenLoadStep(plan);
        boolean changed = true;
        for (int round = 0; changed && round < ROUNDS_MAX; round++) {
            changed = spread.run();
            changed |= isByCount && evenLoad.run();
            changed |= isByCount && new PreferenceStep(plan, true).run();
        }
        return plan.plan;
    }
}
