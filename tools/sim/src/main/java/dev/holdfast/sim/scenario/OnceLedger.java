package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import java.time.Duration;
import java.util.List;

/** A scenario of workers with a list of keys that must each be done once; sometimes a worker reopens one. */
final class OnceLedger implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(10);
    private static final Duration WORK_MAX = Duration.ofMillis(2500);

    @Override
    public void play(Simulation simulation) {
        simulation.processes("worker", 5, client -> client.loop(Duration.ofMillis(400), again -> work(client, again)));
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(20), KEYS);
    }

    private void work(SimClient client, Runnable again) {
        Key key = client.world().pick(KEYS);
        if (client.world().chance(0.1)) {
            client.call("reopen", key, api -> api.reopen(key), again);
            return;
        }
        AcquireOptions options = AcquireOptions.defaults().term(client.world().millis(800, 2800));
        client.acquire(key, options, Duration.ZERO, client.workUpTo(WORK_MAX, 0.85, again), again);
    }
}
