package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A hand-off that leaves a shard silent: KCL pull requests #1743 and #1729. There, a worker that stopped at once did not transfer the lease
 * and renewed it on, so that no worker consumed the shard. Here, the lease of a stopped unit is released, and expires if that fails.
 */
class SilentShardTest {
    private static final List<String> SHARDS = List.of("a", "b", "c", "d");
    private static final Duration WITHIN = ShardFleet.TERM.multipliedBy(3).plusSeconds(9);

    @Test
    void aWorkerThatStopsAtOnceHandsEveryShardOver() {
        assertThat(ScenarioRuns.violations(simulation -> drain(simulation, false), SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void aWorkerThatCrashesInTheHandOffLeavesNoShardSilent() {
        assertThat(ScenarioRuns.violations(simulation -> drain(simulation, true), SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsAWorkerThatKeepsTheLeaseOfAStoppedShard() {
        assertThat(ScenarioRuns.violations(simulation -> drain(simulation, false), BorrowedBug.RELEASE_IS_NOT_STORED))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("every shard is worked on"));
    }

    /** The first worker has all shards. A second one joins, and the first one is drained. */
    private static void drain(Simulation simulation, boolean crashes) {
        ShardFleet fleet = new ShardFleet(simulation);
        SimProcess first = fleet.worker("first");
        SimProcess second = fleet.worker("second");
        fleet.create(SHARDS);
        first.start();
        simulation.watch(Duration.ofMinutes(1));
        simulation.pass(WITHIN);
        fleet.requireWork(SHARDS);
        if (crashes) {
            fleet.onRevoked(process -> crashOnce(simulation, fleet, process));
        }
        second.start();
        simulation.pass(Duration.ofSeconds(1));
        fleet.control().drainAsync("first", "a test");
        simulation.pass(WITHIN.multipliedBy(2));
        fleet.requireWork(SHARDS);
        ScenarioRuns.require(
                simulation,
                fleet.workersOf(SHARDS).equals(List.of("second")),
                "10, a drained worker has no shard",
                fleet.workersOf(SHARDS).toString());
        simulation.end();
    }

    private static void crashOnce(Simulation simulation, ShardFleet fleet, SimProcess process) {
        fleet.onRevoked(other -> {});
        simulation.world().after(0, () -> {
            process.crash();
            simulation.world().after(Duration.ofMillis(200).toNanos(), process::start);
        });
    }
}
