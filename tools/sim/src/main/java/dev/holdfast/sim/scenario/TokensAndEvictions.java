package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.check.TokenHolding;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A scenario in which leases are detached, then renewed and released by their tokens, while an operator evicts holders
 * of other keys.
 */
final class TokensAndEvictions implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(4);
    /** Only the first keys are evicted; the others must keep mutual exclusion. */
    private static final List<Key> EVICTED = KEYS.subList(0, 2);

    private static final Duration TERM = Duration.ofMillis(2500);

    @Override
    public void play(Simulation simulation) {
        for (int i = 0; i < 3; i++) {
            simulation.process("holder-" + i, simulation.wrongClock(), i > 0, this::hold);
        }
        simulation.process("operator", simulation.wrongClock(), true, this::operate);
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(20), KEYS);
    }

    private void hold(SimClient client) {
        client.loop(Duration.ofMillis(400), again -> {
            Duration wait = client.world().chance(0.5) ? Duration.ZERO : Duration.ofMillis(2500);
            AcquireOptions options = AcquireOptions.defaults().term(TERM);
            Consumer<SimulatedHolding> granted =
                    holding -> client.afterUpTo(Duration.ofMillis(1500), () -> leave(client, holding, again));
            client.acquire(client.world().pick(KEYS), options, wait, granted, again);
        });
    }

    private void leave(SimClient client, SimulatedHolding holding, Runnable then) {
        if (client.world().chance(0.5)) {
            client.release(holding, then);
            return;
        }
        client.detach(holding, heir -> inherit(client, heir, 6));
        then.run();
    }

    /** Renews at random intervals, sometimes too late, and even after another holder has acquired the key. */
    private void inherit(SimClient client, TokenHolding heir, int left) {
        if (left == 0 || client.simulation().isWindingDown()) {
            client.release(heir, () -> {});
            return;
        }
        Runnable next = () -> inherit(client, heir, left - 1);
        Duration pace = client.world().chance(0.2) ? TERM.multipliedBy(2) : TERM.dividedBy(2);
        client.afterUpTo(pace, () -> client.renew(heir, TERM, next));
    }

    private void operate(SimClient client) {
        client.loop(Duration.ofSeconds(3), again -> client.evict(client.world().pick(EVICTED), again));
    }
}
