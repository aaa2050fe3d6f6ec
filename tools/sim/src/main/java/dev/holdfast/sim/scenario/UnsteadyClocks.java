package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.world.FaultInjector;
import dev.holdfast.sim.world.SimMachineClock;
import java.time.Duration;
import java.util.List;

/**
 * A scenario with faults of the clocks only: each runs as slow or as fast as the rules allow and changes between both,
 * and the store's clock jumps within its bound. Terms are long and holders do not renew, so that each takeover happens
 * at the first possible moment.
 */
final class UnsteadyClocks implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(2);
    private static final Duration STEP = Duration.ofMillis(60);

    @Override
    public void play(Simulation simulation) {
        // In half of the runs the store's clock does not jump, so that the margin for drift is tested alone.
        boolean jumps = simulation.world().extraChance(0.5);
        SimMachineClock store = simulation.unsteadyStoreClock(jumps ? STEP : Duration.ZERO);
        changeRate(simulation, store);
        if (jumps) {
            jump(simulation, store, 0);
        }
        for (int i = 0; i < 4; i++) {
            SimMachineClock clock = simulation.wrongClock();
            changeRate(simulation, clock);
            simulation.process("holder-" + i, clock, i > 0, this::hold);
        }
        simulation.playOut(Duration.ofSeconds(400), Duration.ofSeconds(80), KEYS, FaultInjector::healAt);
    }

    /** Rates are the two extremes that the rules allow: all rates between them are easier. */
    private void changeRate(Simulation simulation, SimMachineClock clock) {
        clock.drift(simulation.world().extraChance(0.5) ? 1 : -1);
        later(simulation, () -> changeRate(simulation, clock));
    }

    private void jump(Simulation simulation, SimMachineClock store, long offsetNanos) {
        long nextNanos = simulation.world().extraChance(0.5) ? STEP.toNanos() : 0;
        store.jumpTicker(nextNanos - offsetNanos);
        later(simulation, () -> jump(simulation, store, nextNanos));
    }

    private static void later(Simulation simulation, Runnable action) {
        long delayNanos = simulation.world().extraBetween(Duration.ofSeconds(20), Duration.ofSeconds(120));
        simulation.world().after(delayNanos, () -> {
            if (!simulation.isWindingDown()) {
                action.run();
            }
        });
    }

    private void hold(SimClient client) {
        client.loop(Duration.ofSeconds(2), again -> {
            Duration term = client.world().millis(5_000, 40_000);
            AcquireOptions options = AcquireOptions.defaults().term(term).autoRenew(false);
            Key key = client.world().pick(KEYS);
            client.acquire(key, options, Duration.ofSeconds(60), holding -> keep(client, holding, again), again);
        });
    }

    private void keep(SimClient client, SimulatedHolding holding, Runnable then) {
        if (client.simulation().isWindingDown()) {
            client.release(holding, then);
        } else {
            client.after(holding.lease().term(), then);
        }
    }
}
