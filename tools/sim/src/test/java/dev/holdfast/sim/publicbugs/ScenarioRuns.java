package dev.holdfast.sim.publicbugs;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/** Runs of one scenario with several seeds. Some seeds have a store with a clock, and some have a store without one. */
final class ScenarioRuns {
    static final long SEEDS = 8;

    private ScenarioRuns() {}

    /** The violations that the checkers report; one at most for each seed. */
    static List<String> violations(SimulationScenario scenario, SimulatedVariant variant) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Simulation.run(seed, scenario, variant).violation())
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
    }

    /** Reports a violation unless the condition is true. */
    static void require(Simulation simulation, boolean condition, String invariant, String details) {
        if (!condition) {
            simulation.checks().violated(invariant, details);
        }
    }
}
