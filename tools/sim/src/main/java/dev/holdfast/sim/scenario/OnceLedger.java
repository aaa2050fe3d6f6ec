package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import java.util.List;

/** A scenario of workers with a list of keys that must each be done once; sometimes a worker reopens one. */
final class OnceLedger implements Scenario {
    private static final List<Key> KEYS = Scenario.keys(10);
    private static final Duration WORK_MAX = Duration.ofMillis(2500);

    @Override
    public void play(Simulation simulation) {
        for (int i = 0; i < 5; i++) {
            simulation.process("worker-" + i, Scenario.wrongClock(simulation), true, this::work);
        }
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(20), KEYS);
    }

    private void work(SimClient client) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(400), () -> work(client));
        Key key = Scenario.pick(client.simulation(), KEYS);
        if (client.world().chance(0.1)) {
            client.reopen(key, again);
            return;
        }
        AcquireOptions options = AcquireOptions.defaults()
                .term(Duration.ofMillis(800 + client.world().random().nextInt(2000)));
        client.acquire(key, options, Duration.ZERO, simulatedHolding -> work(client, simulatedHolding, again), again);
    }

    private void work(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        client.afterUpTo(WORK_MAX, () -> {
            if (client.world().chance(0.85)) {
                client.done(simulatedHolding, () -> finish(client, simulatedHolding, then));
            } else {
                client.release(simulatedHolding, then);
            }
        });
    }

    /** Releases the lease in every case, as user code does when it closes it. */
    private void finish(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        client.release(simulatedHolding, then);
    }
}
