package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import java.util.List;

/**
 * A scenario in which processes compete for a few locks. Some wait, some do not, some hold a lock for long. One never
 * renews but keeps writing attributes.
 */
final class LocksUnderChurn implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(3);
    private static final Duration HOLD_MAX = Duration.ofSeconds(5);
    private static final Duration PACE = Duration.ofMillis(500);

    @Override
    public void play(Simulation simulation) {
        simulation.processes("locker", 4, client -> client.loop(Duration.ofMillis(600), again -> lock(client, again)));
        simulation.process("scribbler", simulation.wrongClock(), false, this::scribble);
        simulation.playOut(Duration.ofSeconds(45), Duration.ofSeconds(24), KEYS);
    }

    private void lock(SimClient client, Runnable again) {
        Key key = client.world().pick(KEYS);
        if (client.world().chance(0.05)) {
            client.call("delete", key, api -> api.delete(key, null), again);
            return;
        }
        Duration wait =
                client.world().chance(0.5) ? Duration.ZERO : client.world().millis(1600, 4600);
        client.acquire(key, options(client), wait, holding -> hold(client, holding, again), again);
    }

    private static AcquireOptions options(SimClient client) {
        return AcquireOptions.defaults().term(client.world().millis(1000, 4000));
    }

    private void hold(SimClient client, SimulatedHolding holding, Runnable then) {
        if (client.world().chance(0.3)) {
            client.afterUpTo(Duration.ofSeconds(1), () -> client.update(holding));
        }
        client.holdUpTo(HOLD_MAX, then).accept(holding);
    }

    private void scribble(SimClient client) {
        if (!client.simulation().isWindingDown()) {
            Runnable again = () -> client.after(PACE, () -> scribble(client));
            AcquireOptions options = options(client);
            Key key = client.world().pick(KEYS);
            client.acquire(key, options, Duration.ZERO, holding -> scribble(client, holding, 60), again);
        }
    }

    /** Keeps writing, even after another process has acquired the key. */
    private void scribble(SimClient client, SimulatedHolding holding, int left) {
        client.update(holding);
        client.after(PACE, left == 0 ? () -> scribble(client) : () -> scribble(client, holding, left - 1));
    }
}
