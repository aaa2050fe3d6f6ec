package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.FaultInjector;
import java.time.Duration;
import java.util.List;

/**
 * A scenario in which a client is cut off right after it requested a grant, and an operator right before it evicts that
 * grant. The operator times out first and writes the entry under another version, so that its late eviction cannot
 * apply. The client must still recognize its own grant, and release it after its own timeout.
 */
final class BarredGrants implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(4);
    private static final Duration HEALED = Duration.ofSeconds(1);
    private static final Duration PACE = Duration.ofSeconds(7);
    private static final Duration TERM = Duration.ofSeconds(20);

    @Override
    public void play(Simulation simulation) {
        // All faults here are scripted, and start after the checkers were notified that all other faults have healed.
        SimClient operator = simulation.outsider("operator");
        simulation.process("client", simulation.wrongClock(), true, client -> {
            for (int i = 0; i < KEYS.size(); i++) {
                Key key = KEYS.get(i);
                client.after(HEALED.plus(PACE.multipliedBy(i)), () -> acquire(client, operator, key));
            }
        });
        simulation.playOut(HEALED, Duration.ofSeconds(60), List.of(), FaultInjector::healAt);
    }

    private void acquire(SimClient client, SimClient operator, Key key) {
        AcquireOptions options = AcquireOptions.defaults().term(TERM);
        client.acquire(key, options, Duration.ZERO, holding -> client.release(holding, () -> {}), () -> {});
        // The request has been sent; its response will be lost.
        client.process().cutOff(client.world().between(Duration.ofMillis(1700), Duration.ofMillis(3200)));
        operator.after(
                Duration.ofMillis(20),
                () -> operator.call("get", key, api -> api.get(key), () -> {
                    operator.process().cutOff(client.world().between(Duration.ofSeconds(1), Duration.ofSeconds(2)));
                    operator.evict(key, () -> {});
                }));
    }
}
