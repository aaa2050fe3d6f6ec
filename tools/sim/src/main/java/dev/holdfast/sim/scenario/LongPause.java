package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.InvariantCheckers;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A scenario in which holders are paused for longer than their term, again and again. When they resume, they write to a
 * resource with their old fence. The resource rejects fences below the highest it has seen, but it must never reject
 * the current holder.
 */
final class LongPause implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(1);
    private static final Duration TERM = Duration.ofSeconds(2);

    @Override
    public void play(Simulation simulation) {
        Resource resource = new Resource(simulation.checks());
        simulation.processes(
                "writer", 3, client -> client.loop(Duration.ofMillis(200), again -> write(client, resource, again)));
        simulation.playOut(Duration.ofSeconds(60), Duration.ofSeconds(20), KEYS);
    }

    private void write(SimClient client, Resource resource, Runnable again) {
        Consumer<SimulatedHolding> granted = holding -> {
            if (client.world().chance(0.3)) {
                // The process stops right here, and cannot know for how long.
                client.process().pause(client.world().between(TERM, TERM.multipliedBy(4)));
            }
            client.afterUpTo(Duration.ofSeconds(1), () -> {
                resource.write(holding);
                client.release(holding, again);
            });
        };
        AcquireOptions options = AcquireOptions.defaults().term(TERM);
        client.acquire(KEYS.get(0), options, Duration.ofSeconds(5), granted, again);
    }

    /** The resource that the lease protects. */
    private static final class Resource {
        private final InvariantCheckers checks;
        private Fence highest = Fence.NONE;

        Resource(InvariantCheckers checks) {
            this.checks = checks;
        }

        void write(SimulatedHolding holding) {
            Fence fence = holding.lease().fence();
            boolean refused = highest.isAbove(fence);
            if (refused && holding.lease().isHeld()) {
                checks.violated("2, the current holder is never rejected", fence + " came after " + highest);
            }
            highest = refused ? highest : fence;
        }
    }
}
