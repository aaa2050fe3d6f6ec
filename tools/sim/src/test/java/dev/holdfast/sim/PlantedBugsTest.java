package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.bugs.PlantedBug;
import dev.holdfast.sim.scenario.ScenarioList;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the checkers catch each planted bug; otherwise the simulator would prove nothing. */
@Tag("slow")
class PlantedBugsTest {
    private static final long SEEDS = 2000;

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void isCaught(PlantedBug bug) {
        SimulationScenario scenario = ScenarioList.named(bug.scenario());
        long caughtAt = LongStream.rangeClosed(1, SEEDS)
                .filter(seed -> isCaught(bug, scenario, seed))
                .findFirst()
                .orElse(0);
        assertThat(caughtAt)
                .as("%s was caught by no seed of %s", bug, scenario.name())
                .isPositive();
    }

    private static boolean isCaught(PlantedBug bug, SimulationScenario scenario, long seed) {
        Outcome outcome = Simulation.run(seed, scenario, bug);
        if (outcome.violation() != null) {
            System.out.println("planted: " + bug + " caught by seed " + seed + " of " + scenario.name() + ", "
                    + outcome.violation());
        }
        return outcome.violation() != null;
    }
}
