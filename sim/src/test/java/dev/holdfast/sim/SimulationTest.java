package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.scenario.Scenarios;
import dev.holdfast.sim.world.Tally;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulationTest {
    /** Enough for every scenario to meet every kind of fault many times; the soak profile runs more. */
    private static final long SEEDS = 2400;

    @Test
    void noSeedBreaksAnInvariant() {
        Tally total = new Tally();
        List<String> violations = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(seed -> violation(seed, total))
                .filter(it -> !it.isEmpty())
                .toList();
        System.out.println("sim: seeds=" + SEEDS + " " + total + " violations=" + violations.size());
        assertThat(violations).isEmpty();
    }

    private static String violation(long seed, Tally total) {
        Outcome outcome = Simulation.run(seed, Scenarios.ofSeed(seed), Variant.REAL);
        synchronized (total) {
            total.add(outcome.tally());
        }
        return outcome.violation() == null
                ? ""
                : "seed " + seed + " " + outcome.violation() + "; replay: " + Soak.replay(seed);
    }

    @Test
    void oneSeedIsOneRun() {
        for (long seed = 1; seed <= 12; seed++) {
            String first = Simulation.run(seed, Scenarios.ofSeed(seed), Variant.REAL)
                    .tally()
                    .toString();
            String second = Simulation.run(seed, Scenarios.ofSeed(seed), Variant.REAL)
                    .tally()
                    .toString();
            assertThat(second).isEqualTo(first);
        }
    }
}
