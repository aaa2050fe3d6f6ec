package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.bugs.PlantedFleetBug;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the checkers of fleets catch each planted bug. */
@Tag("slow")
class PlantedFleetBugsTest {
    private static final long SEEDS = 1000;

    @ParameterizedTest
    @EnumSource(PlantedFleetBug.class)
    void isCaught(PlantedFleetBug bug) {
        long caughtAt = LongStream.rangeClosed(1, SEEDS)
                .filter(seed -> isCaught(bug, seed))
                .findFirst()
                .orElse(0);
        assertThat(caughtAt)
                .as("%s was caught by no seed of %s", bug, bug.scenario())
                .isPositive();
    }

    private static boolean isCaught(PlantedFleetBug bug, long seed) {
        Outcome outcome = Simulation.run(seed, bug.scenario(), bug);
        if (outcome.violation() != null) {
            System.out.println("planted: " + bug + " caught by seed " + seed + " of " + bug.scenario() + ", "
                    + outcome.violation());
        }
        return outcome.violation() != null;
    }
}
