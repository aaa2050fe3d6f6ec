package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.scenario.ScenarioList;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A few seeds of each scenario, for the mutants of {@code tools/mutants}. {@link SimulationTest} runs many more. */
class ShortSimulationTest {
    private static final long SEEDS = 3;

    static List<String> scenarios() {
        return ScenarioList.all().stream().map(SimulationScenario::name).toList();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void theFirstSeedsBreakNoInvariant(String name) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Outcome outcome = Simulation.run(seed, ScenarioList.named(name), SimulatedVariant.REAL);
            assertThat(outcome.violation()).as("%s, seed %d", name, seed).isNull();
        }
    }
}
