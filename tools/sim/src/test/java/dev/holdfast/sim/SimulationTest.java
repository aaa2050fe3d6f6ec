package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.scenario.ScenarioList;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.EventTally;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {
    /** The seeds of each scenario: enough for every kind of fault to occur many times. The soak profile runs more. */
    private static final long SEEDS = 140;

    static List<String> scenarios() {
        return ScenarioList.all().stream().map(SimulationScenario::name).toList();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void noSeedBreaksAnInvariant(String name) {
        SimulationScenario scenario = ScenarioList.named(name);
        EventTally total = new EventTally();
        List<String> violations = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(seed -> violation(scenario, seed, total))
                .filter(it -> !it.isEmpty())
                .toList();
        System.out.println("sim: scenario=" + scenario.name() + " seeds=" + SEEDS + " " + total + " violations="
                + violations.size());
        assertThat(violations).isEmpty();
    }

    private static String violation(SimulationScenario scenario, long seed, EventTally total) {
        Outcome outcome = Simulation.run(seed, scenario, SimulatedVariant.REAL);
        synchronized (total) {
            total.add(outcome.tally());
        }
        return outcome.violation() == null
                ? ""
                : "seed " + seed + " " + outcome.violation() + "; replay: " + SimulationSoak.replay(scenario, seed);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void oneSeedIsOneRun(String name) {
        SimulationScenario scenario = ScenarioList.named(name);
        String first =
                Simulation.run(1, scenario, SimulatedVariant.REAL).tally().toString();
        String second =
                Simulation.run(1, scenario, SimulatedVariant.REAL).tally().toString();
        assertThat(second).isEqualTo(first);
    }
}
