package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Two leaders through a read: fabric8 kubernetes-client #7350. There, a restarted candidate that read its own name led before its
 * conditional write was refused. Here, a lease exists only once the write was applied, and a name proves nothing: the token does.
 */
class RacedLeaderTest {
    private static final Key KEY = Key.of("sim", "leader");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(Duration.ofSeconds(2));
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void aRestartedCandidateLeadsOnlyIfItsOwnWriteWins() {
        assertThat(ScenarioRuns.violations(RacedLeaderTest::play, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsACandidateThatLeadsAlthoughItsWriteWasRefused() {
        assertThat(ScenarioRuns.violations(RacedLeaderTest::play, BorrowedBug.LEADERSHIP_BY_READING))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("one holder at a time")
                        || violation.contains("acknowledged, but is not in the store"));
    }

    /** The leader crashes and restarts under its name. When its old term is over, both candidates write at once. */
    private static void play(Simulation simulation) {
        Set<String> elected = new HashSet<>();
        SimProcess first =
                simulation.process("first", simulation.wrongClock(), true, client -> contend(client, elected));
        SimProcess second =
                simulation.process("second", simulation.wrongClock(), true, client -> contend(client, elected));
        first.start();
        simulation.watch(LONG);
        simulation.pass(Duration.ofMillis(500));
        first.crash();
        first.start();
        second.start();
        elected.clear();
        simulation.pass(LONG);
        ScenarioRuns.require(simulation, elected.size() == 1, "6, one is elected", elected + " were elected");
        simulation.end();
    }

    private static void contend(SimClient client, Set<String> elected) {
        Runnable again = () -> client.after(Duration.ofMillis(100), () -> contend(client, elected));
        client.acquire(
                KEY,
                OPTIONS,
                Duration.ofSeconds(10),
                holding -> elected.add(client.process().name()),
                again);
    }
}
