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
final class LocksUnderChurn implements Scenario {
    private static final List<Key> KEYS = Scenario.keys(3);
    private static final Duration HOLD_MAX = Duration.ofSeconds(5);

    @Override
    public void play(Simulation simulation) {
        for (int i = 0; i < 4; i++) {
            simulation.process("locker-" + i, Scenario.wrongClock(simulation), true, this::lock);
        }
        simulation.process("scribbler", Scenario.wrongClock(simulation), false, this::scribble);
        simulation.playOut(Duration.ofSeconds(45), Duration.ofSeconds(24), KEYS);
    }

    private void lock(SimClient client) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(600), () -> lock(client));
        Key key = Scenario.pick(client.simulation(), KEYS);
        if (client.world().chance(0.05)) {
            client.delete(key, again);
            return;
        }
        Duration wait = client.world().chance(0.5)
                ? Duration.ZERO
                : Duration.ofMillis(1600 + client.world().random().nextInt(3000));
        AcquireOptions options = AcquireOptions.defaults().term(term(client));
        client.acquire(key, options, wait, simulatedHolding -> hold(client, simulatedHolding, again), again);
    }

    private static Duration term(SimClient client) {
        return Duration.ofMillis(1000 + client.world().random().nextInt(3000));
    }

    private void hold(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        if (client.world().chance(0.3)) {
            client.afterUpTo(Duration.ofSeconds(1), () -> client.update(simulatedHolding));
        }
        client.afterUpTo(HOLD_MAX, () -> client.release(simulatedHolding, then));
    }

    private void scribble(SimClient client) {
        Runnable again = () -> client.after(Duration.ofMillis(500), () -> scribble(client));
        if (client.simulation().isWindingDown()) {
            return;
        }
        AcquireOptions options = AcquireOptions.defaults().term(term(client));
        Key key = Scenario.pick(client.simulation(), KEYS);
        client.acquire(key, options, Duration.ZERO, simulatedHolding -> scribble(client, simulatedHolding, 60), again);
    }

    /** Keeps writing, even after another process has acquired the key. */
    private void scribble(SimClient client, SimulatedHolding simulatedHolding, int left) {
        client.update(simulatedHolding);
        Runnable next = left == 0 ? () -> scribble(client) : () -> scribble(client, simulatedHolding, left - 1);
        client.after(Duration.ofMillis(500), next);
    }
}
