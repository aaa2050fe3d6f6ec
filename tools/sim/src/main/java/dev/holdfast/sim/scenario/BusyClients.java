package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.world.ExtraFaults;
import java.time.Duration;
import java.util.List;

/**
 * A scenario of clients with many concurrent requests, so that batches have many rows. Some rows fail by themselves,
 * some are rejected and make the client split the batch, and processes are paused between decision and send. Clients
 * cancel requests, also after all faults have healed: grants of cancelled requests must be released.
 */
final class BusyClients implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(8);
    private static final Duration STORMY = Duration.ofSeconds(15);
    private static final Duration BUSY = Duration.ofSeconds(22);

    @Override
    public void play(Simulation simulation) {
        simulation.addFaults(new ExtraFaults(false, 0.05, 0.005));
        simulation.processes("client", 3, client -> {
            for (int i = 0; i < 5; i++) {
                work(client);
            }
        });
        simulation.playOut(STORMY, Duration.ofSeconds(24), KEYS);
    }

    private void work(SimClient client) {
        if (client.world().nowNanos() > BUSY.toNanos()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(400), () -> work(client));
        Key key = client.world().pick(KEYS);
        AcquireOptions options = AcquireOptions.defaults().term(client.world().millis(3000, 6000));
        switch (client.world().random().nextInt(20)) {
            case 0 -> client.call("get", key, api -> api.get(key), again);
            case 1 ->
                client.call(
                        "list", key, api -> api.list(LeaseFilter.namespacePrefix(key.namespace()), null, 100), again);
            case 2 -> client.call("delete", key, api -> api.delete(key, null), again);
            case 3, 4 -> client.acquireInVain(key, options, again);
            default -> acquire(client, key, options, again);
        }
    }

    private void acquire(SimClient client, Key key, AcquireOptions options, Runnable again) {
        Duration wait =
                client.world().chance(0.3) ? Duration.ZERO : client.world().millis(1, 1501);
        Runnable cancel = client.acquire(key, options, wait, holding -> hold(client, holding, again), again);
        if (client.world().chance(0.4)) {
            client.afterUpTo(Duration.ofMillis(client.world().chance(0.5) ? 3 : 300), cancel);
        }
    }

    private void hold(SimClient client, SimulatedHolding holding, Runnable then) {
        if (client.world().chance(0.4)) {
            client.update(holding);
            client.afterUpTo(Duration.ofMillis(100), () -> client.update(holding));
        }
        if (client.world().chance(0.3)) {
            client.afterUpTo(Duration.ofMillis(300), () -> client.renew(holding, () -> {}));
        }
        client.holdUpTo(Duration.ofMillis(600), then).accept(holding);
    }
}
