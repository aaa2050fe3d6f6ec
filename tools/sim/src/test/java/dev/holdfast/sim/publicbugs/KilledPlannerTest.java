package dev.holdfast.sim.publicbugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A leader that is killed, and no successor: KCL #1803. There, no other worker takes the leader's lock, and new shards are never
 * assigned. Here, the lock of the planner is a lease like any other: it expires, another worker plans, and new units are assigned.
 */
class KilledPlannerTest {
    private static final List<String> OLD = List.of("a", "b", "c");
    private static final List<String> NEW = List.of("d", "e", "f");
    private static final Duration WITHIN = ShardFleet.TERM.multipliedBy(3).plusSeconds(3);

    @Test
    void newShardsAreAssignedAlthoughThePlannerWasKilled() {
        assertThat(ScenarioRuns.violations(KilledPlannerTest::play, SimulatedVariant.REAL))
                .isEmpty();
    }

    @Test
    void theScenarioReportsALockOfADeadLeaderThatNeverExpires() {
        assertThat(ScenarioRuns.violations(KilledPlannerTest::play, BorrowedBug.DEAD_HOLDER_NEVER_EXPIRES))
                .isNotEmpty()
                .allMatch(violation -> violation.contains("every shard is worked on"));
    }

    private static void play(Simulation simulation) {
        ShardFleet fleet = new ShardFleet(simulation);
        List<SimProcess> workers = List.of(fleet.worker("one"), fleet.worker("two"), fleet.worker("three"));
        fleet.create(OLD);
        workers.forEach(SimProcess::start);
        simulation.watch(Duration.ofMinutes(1));
        simulation.pass(Duration.ofSeconds(5));
        fleet.requireWork(OLD);
        String killed = fleet.planner();
        ScenarioRuns.require(simulation, !killed.isEmpty(), "6, a worker plans", "no worker plans");
        workers.stream().filter(worker -> worker.name().equals(killed)).forEach(SimProcess::crash);
        fleet.create(NEW);
        simulation.pass(WITHIN);
        fleet.requireWork(OLD);
        fleet.requireWork(NEW);
        simulation.end();
    }
}
