package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.fleet.FleetScenarios;
import dev.holdfast.sim.world.Tally;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FleetSimulationTest {
    private static final long SEEDS = Long.getLong("sim.fleet.seeds", 2000);

    @Test
    void noSeedBreaksAnInvariantOfAFleet() {
        Tally total = new Tally();
        List<String> violations = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(seed -> violation(seed, total))
                .filter(it -> !it.isEmpty())
                .toList();
        System.out.println("fleet sim: seeds=" + SEEDS + " " + total + " violations=" + violations.size());
        assertThat(violations).isEmpty();
    }

    private static String violation(long seed, Tally total) {
        FleetScenarios scenario = FleetScenarios.ofSeed(seed);
        Outcome outcome = Simulation.run(seed, scenario, Variant.REAL);
        synchronized (total) {
            total.add(outcome.tally());
        }
        return outcome.violation() == null
                ? ""
                : "seed " + seed + " (" + scenario + ") " + outcome.violation() + "; replay: " + Soak.replayFleet(seed);
    }

    @Test
    void oneSeedIsOneRun() {
        for (long seed = 1; seed <= FleetScenarios.values().length; seed++) {
            String first = Simulation.run(seed, FleetScenarios.ofSeed(seed), Variant.REAL)
                    .tally()
                    .toString();
            String second = Simulation.run(seed, FleetScenarios.ofSeed(seed), Variant.REAL)
                    .tally()
                    .toString();
            assertThat(second).isEqualTo(first);
        }
    }
}
