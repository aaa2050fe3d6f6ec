package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Servers that shut down over NTP or garbage collection: JobRunr #629, #192 and #1292. There, a server that seemed to have timed out stopped
 * for good after a few restarts. Here, no wall clock is compared with another one, and a worker that was paused joins again.
 */
class WrongClockTest {
    private static final Key KEY = Key.of("sim", "key");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(Duration.ofSeconds(2));
    private static final List<String> SHARDS = List.of("a", "b");
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void aLiveHolderKeepsItsKeyAlthoughEveryWallClockIsWrong() {
        assertThat(ScenarioRuns.violations(WrongClockTest::renewWithWrongClocks, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsExpiryByTheTimeOfDay() {
        assertThat(ScenarioRuns.violations(WrongClockTest::renewWithWrongClocks, BorrowedBug.EXPIRY_BY_THE_TIME_OF_DAY))
                .isNotEmpty();
    }

    @Test
    void aWorkerThatIsPausedAgainAndAgainWorksOn() {
        assertThat(ScenarioRuns.violations(WrongClockTest::pauseTenTimes, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsAWorkerThatDoesNotJoinAgain() {
        assertThat(ScenarioRuns.violations(WrongClockTest::pauseTenTimes, BorrowedBug.SILENT_LOSS))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("every shard is worked on"));
    }

    /** The clock of the holder is an hour behind, and that of the client that wants its key is an hour ahead. */
    private static void renewWithWrongClocks(Simulation simulation) {
        List<String> granted = new ArrayList<>();
        for (int hours : new int[] {-1, 1}) {
            String name = hours < 0 ? "behind" : "ahead";
            SimProcess process = simulation.process(
                    name,
                    simulation.clock(Duration.ofHours(hours)),
                    true,
                    client -> client.acquire(KEY, OPTIONS, LONG, holding -> granted.add(name), () -> {}));
            process.start();
            simulation.pass(Duration.ofMillis(500));
        }
        simulation.watch(LONG);
        simulation.pass(LONG);
        ScenarioRuns.require(
                simulation, granted.equals(List.of("behind")), "1, a live holder keeps its key", "granted: " + granted);
        simulation.end();
    }

    /** One worker, which is paused for several terms, ten times, as by a long garbage collection. */
    private static void pauseTenTimes(Simulation simulation) {
        ShardFleet fleet = new ShardFleet(simulation);
        SimProcess worker = fleet.worker("worker");
        fleet.create(SHARDS);
        worker.start();
        simulation.watch(Duration.ofSeconds(250));
        for (int i = 0; i < 10; i++) {
            simulation.pass(Duration.ofSeconds(10));
            boolean begun = i > 0 || fleet.workersOf(SHARDS).contains("worker");
            ScenarioRuns.require(simulation, begun, "6, a worker begins", "before the first pause");
            worker.pause(ShardFleet.TERM.multipliedBy(4).toNanos());
            simulation.pass(Duration.ofSeconds(10));
        }
        fleet.requireWork(SHARDS);
        simulation.end();
    }
}
