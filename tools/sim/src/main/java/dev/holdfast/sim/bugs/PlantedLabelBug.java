package dev.holdfast.sim.bugs;

import static dev.holdfast.fleet.AssignmentStrategy.UNASSIGNED;

import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.fleet.LabelScenarios;
import java.util.Map;

/** Bugs that fleets with labels could have. */
public enum PlantedLabelBug implements SimulatedVariant {
    WORKERS_STATE_WRONG_LABELS(LabelScenarios.LABELS_BY_COUNT) {
        @Override
        public Map<String, String> labels(Map<String, String> labels) {
            return Map.of("zone", "a");
        }
    },

    UNITS_ARE_NOT_SPREAD(LabelScenarios.LABELS_SPREAD) {
        @Override
        public AssignmentStrategy labelledStrategy(AssignmentStrategy strategy) {
            return AssignmentStrategy.byCount();
        }
    },

    UNITS_WITH_REQUIREMENTS_ARE_FORGOTTEN(LabelScenarios.LABELS_BY_COUNT) {
        @Override
        public AssignmentStrategy labelledStrategy(AssignmentStrategy strategy) {
            return situation -> {
                int[] plan = strategy.assign(situation);
                for (int unit = 0; unit < plan.length; unit++) {
                    plan[unit] = situation.requires(unit).isEmpty() ? plan[unit] : UNASSIGNED;
                }
                return plan;
            };
        }
    },

    CAPACITY_IS_IGNORED(LabelScenarios.LABELS_BY_COUNT) {
        @Override
        public AssignmentStrategy labelledStrategy(AssignmentStrategy strategy) {
            return situation -> {
                int[] plan = strategy.assign(situation);
                for (int worker = 0; worker < situation.workers(); worker++) {
                    for (int unit = 0; unit < plan.length && situation.capacity(worker) == 3; unit++) {
                        plan[unit] = situation.mayHave(worker, unit) ? worker : plan[unit];
                    }
                }
                return plan;
            };
        }
    };

    private final LabelScenarios scenario;

    PlantedLabelBug(LabelScenarios scenario) {
        this.scenario = scenario;
    }

    /** The scenario that catches the bug. */
    public LabelScenarios scenario() {
        return scenario;
    }
}
