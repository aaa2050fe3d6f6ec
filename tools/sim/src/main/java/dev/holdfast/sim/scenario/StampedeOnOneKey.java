package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import java.time.Duration;
import java.util.List;

/** A scenario in which all processes request one key all the time, several times each, and cancel some requests. */
final class StampedeOnOneKey implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(1);

    @Override
    public void play(Simulation simulation) {
        simulation.processes("runner", 6, client -> {
            for (int i = 0; i < 3; i++) {
                client.loop(Duration.ofMillis(100), again -> run(client, again));
            }
        });
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(20), KEYS);
    }

    private void run(SimClient client, Runnable again) {
        Duration wait = client.world().millis(1600, 5600);
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofMillis(1500));
        Runnable cancel =
                client.acquire(KEYS.get(0), options, wait, client.holdUpTo(Duration.ofMillis(300), again), again);
        if (client.world().chance(0.2)) {
            // This may coincide with the grant, which must then be released.
            client.afterUpTo(Duration.ofMillis(800), cancel);
        }
    }
}
