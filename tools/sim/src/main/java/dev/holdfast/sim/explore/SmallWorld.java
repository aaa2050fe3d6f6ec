package dev.holdfast.sim.explore;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.time.Duration;
import java.util.List;

/** Two processes with the whole real client, which each acquire one key, hold it through a renewal, and release it or are done. */
public enum SmallWorld implements SimulationScenario {
    /** Both release the key. */
    LOCK {
        @Override
        void work(SimClient client, SimulatedHolding holding, Runnable then) {
            client.release(holding, then);
        }
    },

    /** Both update the key, and are done with it. */
    ONCE {
        @Override
        void work(SimClient client, SimulatedHolding holding, Runnable then) {
            client.update(holding);
            client.after(SHORT, () -> client.done(holding, then));
        }
    };

    private static final Key KEY = SimulationScenario.keys(1).get(0);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration TERM = Duration.ofMillis(1500);
    /** Longer than a third of the term, after which a holder renews. */
    private static final Duration HELD = Duration.ofMillis(700);

    private static final Duration WAIT = Duration.ofSeconds(6);
    private static final Duration STORMY = Duration.ofSeconds(8);
    private static final Duration CALM = Duration.ofSeconds(12);

    @Override
    public void play(Simulation simulation) {
        simulation.processes(
                "client",
                2,
                client -> client.acquire(
                        KEY,
                        AcquireOptions.defaults().term(TERM),
                        WAIT,
                        holding -> client.after(HELD, () -> work(client, holding, () -> {})),
                        () -> {}));
        simulation.playOut(STORMY, CALM, List.of(KEY), (faults, healNanos) -> faults.healAt(healNanos));
    }

    abstract void work(SimClient client, SimulatedHolding holding, Runnable then);
}
