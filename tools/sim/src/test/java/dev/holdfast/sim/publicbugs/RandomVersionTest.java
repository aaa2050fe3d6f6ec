package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A version as a fence: amazon-dynamodb-lock-client #1 and #62. There, the version of a lock is a random UUID, so a resource cannot
 * know which of two holders is newer. Here, each grant has a larger number than all before it, also after releases.
 */
class RandomVersionTest {
    private static final Key KEY = Key.of("sim", "key");
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);
    private static final int ROUNDS = 5;

    @Test
    void aResourceCanAlwaysRejectTheWriteOfAPausedHolder() {
        assertThat(ScenarioRuns.violations(RandomVersionTest::play, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsFencesThatAreOnlyUnique() {
        assertThat(ScenarioRuns.violations(RandomVersionTest::play, BorrowedBug.RANDOM_FENCE))
                .isNotEmpty();
    }

    /** In every round a holder is paused for longer than its term, the next holder writes, and then the paused one. */
    private static void play(Simulation simulation) {
        FencedResource resource = new FencedResource();
        simulation.watch(Duration.ofSeconds(ROUNDS * 20L));
        for (int round = 0; round < ROUNDS; round++) {
            SimClient paused = simulation.outsider("paused-" + round);
            SimClient next = simulation.outsider("next-" + round);
            String name = "round " + round;
            paused.acquire(
                    KEY,
                    OPTIONS,
                    Duration.ofSeconds(10),
                    holding -> {
                        paused.process().pause(TERM.multipliedBy(4).toNanos());
                        paused.after(
                                Duration.ofMillis(1),
                                () -> ScenarioRuns.require(
                                        simulation, !resource.write(holding), "2, an old fence is rejected", name));
                    },
                    () -> {});
            simulation.pass(Duration.ofSeconds(1));
            next.acquire(
                    KEY,
                    OPTIONS,
                    Duration.ofSeconds(10),
                    holding -> write(simulation, next, resource, holding),
                    () -> {});
            simulation.pass(Duration.ofSeconds(19));
        }
        ScenarioRuns.require(
                simulation, resource.accepted == ROUNDS, "6, the next holder writes", resource.accepted + " did");
        simulation.end();
    }

    private static void write(
            Simulation simulation, SimClient next, FencedResource resource, SimulatedHolding holding) {
        ScenarioRuns.require(
                simulation, resource.write(holding), "2, the current holder is never rejected", holding.toString());
        next.release(holding, () -> {});
    }

    /** A resource that rejects fences below the highest that it has seen. */
    private static final class FencedResource {
        private Fence highest = Fence.NONE;
        private int accepted;

        boolean write(SimulatedHolding holding) {
            Fence fence = holding.lease().fence();
            if (highest.isAbove(fence)) {
                return false;
            }
            highest = fence;
            accepted++;
            return true;
        }
    }
}
