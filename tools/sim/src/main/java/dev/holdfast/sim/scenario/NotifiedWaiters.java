package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.world.ExtraFaults;
import java.time.Duration;
import java.util.List;

/**
 * A scenario of many waiters for two keys of a store that notifies. Some notifications are lost, late or duplicated,
 * which may only cost time. Some keys are held through an anchor, which the waiters then watch too.
 */
final class NotifiedWaiters implements Scenario {
    private static final List<Key> KEYS = Scenario.keys(2);
    private static final Duration TERM = Duration.ofMillis(1800);

    @Override
    public void play(Simulation simulation) {
        simulation.addFaults(new ExtraFaults(true, 0, 0));
        for (int i = 0; i < 3; i++) {
            simulation.process("waiter-" + i, Scenario.wrongClock(simulation), true, client -> {
                run(client);
                run(client);
            });
        }
        simulation.process("anchored", Scenario.wrongClock(simulation), true, this::join);
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(20), KEYS);
    }

    private void run(SimClient client) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(150), () -> run(client));
        Duration wait = Duration.ofMillis(1600 + client.world().random().nextInt(6000));
        Runnable cancel = client.acquire(
                Scenario.pick(client.simulation(), KEYS),
                AcquireOptions.defaults().term(TERM),
                wait,
                simulatedHolding -> hold(client, simulatedHolding, again),
                again);
        if (client.world().chance(0.1)) {
            client.afterUpTo(Duration.ofMillis(800), cancel);
        }
    }

    private void hold(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        client.afterUpTo(Duration.ofMillis(400), () -> client.release(simulatedHolding, then));
    }

    private void join(SimClient client) {
        if (!client.simulation().isWindingDown()) {
            Runnable again = () -> client.afterUpTo(Duration.ofMillis(800), () -> join(client));
            client.anchor(TERM, anchor -> takeOne(client, anchor, again), again);
        }
    }

    private void takeOne(SimClient client, SimulatedHolding anchor, Runnable again) {
        Runnable leave = () -> client.afterUpTo(Duration.ofSeconds(1), () -> client.release(anchor, again));
        client.acquire(
                Scenario.pick(client.simulation(), KEYS),
                AcquireOptions.defaults().under((Anchor) anchor.lease()),
                Duration.ofSeconds(3),
                unit -> leave.run(),
                leave);
    }
}
