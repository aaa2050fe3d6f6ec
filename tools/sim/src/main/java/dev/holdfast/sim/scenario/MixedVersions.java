package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * A scenario in which processes from before and after histories share keys. The older ones take, end, delete and evict
 * grants of the newer ones, and leave gaps in the histories.
 */
final class MixedVersions implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(3);
    private static final Duration PACE = Duration.ofMillis(400);

    @Override
    public void play(Simulation simulation) {
        simulation.processes("new", 2, this::work);
        simulation.processes("old", 2, this::work).forEach(simulation::runOlderCode);
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(20), KEYS);
    }

    private void work(SimClient client) {
        client.loop(PACE, again -> turn(client, again));
    }

    private void turn(SimClient client, Runnable again) {
        Key key = client.world().pick(KEYS);
        if (client.world().chance(0.04)) {
            client.call("delete", key, api -> api.delete(key, null), again);
        } else if (client.world().chance(0.05)) {
            client.evict(key, again);
        } else if (client.world().chance(0.2)) {
            client.call("reopen", key, api -> api.reopen(key), again);
        } else {
            AcquireOptions options =
                    AcquireOptions.defaults().term(client.world().millis(1000, 3000));
            Duration wait = client.world().chance(0.5) ? Duration.ZERO : Duration.ofSeconds(2);
            client.acquire(key, options, wait, client.workUpTo(Duration.ofSeconds(2), 0.1, again), again);
        }
    }
}
