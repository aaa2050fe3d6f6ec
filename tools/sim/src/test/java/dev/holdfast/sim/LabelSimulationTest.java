package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.bugs.PlantedLabelBug;
import dev.holdfast.sim.fleet.LabelScenarios;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fleets with labels, with the real code and with planted bugs. */
@Tag("slow")
class LabelSimulationTest {
    private static final long SEEDS = Long.getLong("sim.label.seeds", 50);
    private static final long BUG_SEEDS = 300;

    @Test
    void noSeedBreaksAnInvariantOfAFleetWithLabels() {
        List<String> violations = LongStream.rangeClosed(1, SEEDS)
                .boxed()
                .parallel()
                .flatMap(seed -> Stream.of(LabelScenarios.values()).map(scenario -> violation(seed, scenario)))
                .filter(it -> !it.isEmpty())
                .toList();
        System.out.println(
                "label sim: runs=" + SEEDS * LabelScenarios.values().length + " violations=" + violations.size());
        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(PlantedLabelBug.class)
    void aPlantedBugIsCaught(PlantedLabelBug bug) {
        long caughtAt = LongStream.rangeClosed(1, BUG_SEEDS)
                .filter(seed -> violates(seed, bug.scenario(), bug))
                .findFirst()
                .orElse(0);
        System.out.println("planted: " + bug + " caught by seed " + caughtAt + " of " + bug.scenario());
        assertThat(caughtAt).as("%s was caught by no seed", bug).isPositive();
    }

    private static String violation(long seed, LabelScenarios scenario) {
        Outcome outcome = Simulation.run(seed, scenario, SimulatedVariant.REAL);
        return outcome.violation() == null
                ? ""
                : "seed " + seed + " (" + scenario + ") " + outcome.violation() + "; replay: "
                        + SimulationSoak.replay(scenario, seed);
    }

    private static boolean violates(long seed, LabelScenarios scenario, SimulatedVariant variant) {
        return Simulation.run(seed, scenario, variant).violation() != null;
    }
}
