package dev.holdfast.sim.fleet;

import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.time.Duration;

/** The scenarios of fleets with labels, under all kinds of faults. */
public enum LabelScenarios implements SimulationScenario {
    /** Units are balanced by count. */
    LABELS_BY_COUNT(false, false),
    /** Units are spread over zones. */
    LABELS_SPREAD(true, false),
    /** Some workers are of an older version, and ignore labels when they are the planner. */
    LABELS_WITH_OLD_PLANNERS(false, true);

    private static final Duration STORMY = Duration.ofSeconds(10);

    private final boolean spreads;
    private final boolean hasOldPlanners;

    LabelScenarios(boolean spreads, boolean hasOldPlanners) {
        this.spreads = spreads;
        this.hasOldPlanners = hasOldPlanners;
    }

    @Override
    public void play(Simulation simulation) {
        int workers = 2 + simulation.world().random().nextInt(4);
        int units = simulation.world().random().nextInt(16);
        LabelledFleet fleet = new LabelledFleet(simulation, spreads, workers, units);
        if (hasOldPlanners) {
            fleet.useOldPlanners(STORMY.multipliedBy(3).dividedBy(4));
        }
        fleet.start();
        fleet.changeRequirements(STORMY);
        fleet.playOut(STORMY);
    }
}
