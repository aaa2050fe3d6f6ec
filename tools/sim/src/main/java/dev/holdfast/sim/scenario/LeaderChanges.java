package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.world.SimProcess.ProcessGone;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A scenario in which processes contend for one leadership. A leader works for a while and then returns, throws,
 * releases its lease or loses it. The election must continue after each of these: when the faults are over, every live
 * process is elected once more, and then leaves.
 */
final class LeaderChanges implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(1);
    private static final Duration TERM = Duration.ofMillis(1500);
    private static final Duration CALM = Duration.ofSeconds(40);
    private static final int CANDIDATES = 3;

    @Override
    public void play(Simulation simulation) {
        Set<String> waiting = new HashSet<>();
        simulation.processes("candidate", CANDIDATES, client -> contend(client, waiting));
        simulation.playOut(Duration.ofSeconds(30), CALM, KEYS);
        if (!waiting.isEmpty()) {
            String details = waiting + " were not elected within " + CALM + " without faults";
            simulation.checks().violated("6, elections continue", details);
        }
    }

    private static void contend(SimClient client, Set<String> waiting) {
        waiting.add(client.process().name());
        LeaderElection[] election = new LeaderElection[1];
        election[0] = LeaderElection.of(client.leases(), KEYS.get(0))
                .options(AcquireOptions.defaults().term(TERM))
                .lead(lease -> lead(client, client.holding(lease, true), election, waiting));
    }

    private static void lead(SimClient client, SimulatedHolding holding, LeaderElection[] election, Set<String> waiting)
            throws InterruptedException {
        client.simulation().tally().operation();
        try {
            if (client.simulation().isWindingDown()) {
                waiting.remove(client.process().name());
                holding.giveUp();
                election[0].close();
                return;
            }
            work(client, holding);
        } catch (ProcessGone e) {
            holding.giveUp();
            throw e;
        }
        holding.giveUp();
        double end = client.world().random().nextDouble();
        if (end < 0.2) {
            throw new IllegalStateException("a leader may throw");
        } else if (end < 0.3) {
            throw new AssertionError("a leader may throw an Error");
        }
    }

    /** Works for up to two terms; sometimes the leader releases its lease itself. */
    private static void work(SimClient client, SimulatedHolding holding) throws InterruptedException {
        CompletableFuture<Void> worked = new CompletableFuture<>();
        client.afterUpTo(TERM.multipliedBy(2), () -> worked.complete(null));
        if (client.world().chance(0.2)) {
            holding.giveUp();
            holding.lease().releaseAsync();
        }
        client.environment().await(worked);
    }
}
