package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import java.util.List;

/** A scenario in which all processes request one key all the time, several times each, and cancel some requests. */
final class StampedeOnOneKey implements Scenario {
    private static final List<Key> KEYS = Scenario.keys(1);

    @Override
    public void play(Simulation simulation) {
        for (int i = 0; i < 6; i++) {
            simulation.process("runner-" + i, Scenario.wrongClock(simulation), true, client -> {
                for (int j = 0; j < 3; j++) {
                    run(client);
                }
            });
        }
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(20), KEYS);
    }

    private void run(SimClient client) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(100), () -> run(client));
        Duration wait = Duration.ofMillis(1600 + client.world().random().nextInt(4000));
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofMillis(1500));
        Runnable cancel = client.acquire(
                KEYS.get(0), options, wait, simulatedHolding -> hold(client, simulatedHolding, again), again);
        if (client.world().chance(0.2)) {
            // This may coincide with the grant, which must then be released.
            client.afterUpTo(Duration.ofMillis(800), cancel);
        }
    }

    private void hold(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        client.afterUpTo(Duration.ofMillis(300), () -> client.release(simulatedHolding, then));
    }
}
