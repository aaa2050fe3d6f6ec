package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a run that does not end is reported as a violation, and does not hang the build. */
class LivelockTest {
    @Test
    void endlessEventsAtOneMomentAreAViolation() {
        Outcome outcome = Simulation.run(
                1,
                simulation -> {
                    again(simulation.world());
                    simulation.pass(Duration.ofSeconds(1));
                },
                SimulatedVariant.REAL);

        assertThat(String.valueOf(outcome.violation()))
                .contains("events ran one after another", "time did not move on");
    }

    private static void again(SimWorld simWorld) {
        simWorld.after(0, () -> again(simWorld));
    }
}
