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
final class NotifiedWaiters implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(2);
    /** Holders that a release names: two that wait, and one that never does. */
    private static final List<String> NAMES = List.of("waiter-1", "waiter-2", "absent");

    private static final Duration TERM = Duration.ofMillis(1800);

    @Override
    public void play(Simulation simulation) {
        simulation.addFaults(new ExtraFaults(true, 0, 0));
        simulation.processes("waiter", 3, client -> {
            for (int i = 0; i < 2; i++) {
                client.loop(Duration.ofMillis(150), again -> run(client, again));
            }
        });
        simulation.process("anchored", simulation.wrongClock(), true, this::join);
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(20), KEYS);
    }

    private void run(SimClient client, Runnable again) {
        Duration wait = client.world().millis(1600, 9600);
        AcquireOptions options = AcquireOptions.defaults().term(TERM);
        Key key = client.world().pick(KEYS);
        Runnable cancel =
                client.acquire(key, options, wait, client.passOnUpTo(Duration.ofMillis(400), NAMES, again), again);
        if (client.world().chance(0.1)) {
            client.afterUpTo(Duration.ofMillis(800), cancel);
        }
    }

    private void join(SimClient client) {
        client.loop(
                Duration.ofMillis(800), again -> client.anchor(TERM, anchor -> takeOne(client, anchor, again), again));
    }

    private void takeOne(SimClient client, SimulatedHolding anchor, Runnable again) {
        Runnable leave = () -> client.holdUpTo(Duration.ofSeconds(1), again).accept(anchor);
        AcquireOptions options = AcquireOptions.defaults().under((Anchor) anchor.lease());
        client.acquire(client.world().pick(KEYS), options, Duration.ofSeconds(3), unit -> leave.run(), leave);
    }
}
