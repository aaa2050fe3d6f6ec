package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * A scenario in which keys are used, stay idle for more than a week, are cleaned up, and are used again. The clock of
 * one process is a month ahead, and so are its fences.
 */
final class IdleKeys implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(4);

    @Override
    public void play(Simulation simulation) {
        simulation.processes("user", 3, client -> use(client, 6));
        simulation.process("sweeper", simulation.clock(Duration.ZERO), true, this::sweep);
        simulation.process("ahead", simulation.clock(Duration.ofDays(30)), true, client -> use(client, 2));
        simulation.playOut(Duration.ofSeconds(20), Duration.ofSeconds(16), KEYS);
        simulation.pass(Duration.ofDays(8));
        simulation
                .process("late", simulation.wrongClock(), true, client -> use(client, 6))
                .start();
        simulation.pass(Duration.ofMinutes(30));
    }

    private void use(SimClient client, int left) {
        if (left > 0) {
            Runnable again = () -> client.afterUpTo(Duration.ofSeconds(4), () -> use(client, left - 1));
            AcquireOptions options = AcquireOptions.defaults().term(Duration.ofSeconds(2));
            Key key = client.world().pick(KEYS);
            client.acquire(key, options, Duration.ZERO, client.holdUpTo(Duration.ofSeconds(1), again), again);
        }
    }

    /** Repeats forever: on a store without a clock, the sweeper must have watched an entry for a week. */
    private void sweep(SimClient client) {
        client.cleanUp(() -> client.after(Duration.ofHours(1), () -> sweep(client)));
    }
}
