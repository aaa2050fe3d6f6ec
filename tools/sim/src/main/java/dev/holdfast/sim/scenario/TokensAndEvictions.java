package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.store.Term;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.check.TokenHolders;
import java.time.Duration;
import java.util.List;

/**
 * A scenario in which leases are detached, then renewed and released by their tokens, while an operator evicts holders
 * of other keys.
 */
final class TokensAndEvictions implements Scenario {
    private static final List<Key> KEYS = Scenario.keys(4);
    /** Only the first keys are evicted; the others must keep mutual exclusion. */
    private static final List<Key> EVICTED = KEYS.subList(0, 2);

    private static final Term TERM = Term.ofMillis(2500);

    @Override
    public void play(Simulation simulation) {
        for (int i = 0; i < 3; i++) {
            simulation.process("holder-" + i, Scenario.wrongClock(simulation), i > 0, this::hold);
        }
        simulation.process("operator", Scenario.wrongClock(simulation), true, this::operate);
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(20), KEYS);
    }

    private void hold(SimClient client) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(400), () -> hold(client));
        Duration wait = client.world().chance(0.5) ? Duration.ZERO : Duration.ofMillis(2500);
        client.acquire(
                Scenario.pick(client.simulation(), KEYS),
                AcquireOptions.defaults().term(TERM.duration()),
                wait,
                simulatedHolding ->
                        client.afterUpTo(Duration.ofMillis(1500), () -> leave(client, simulatedHolding, again)),
                again);
    }

    private void leave(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        if (client.world().chance(0.5)) {
            client.release(simulatedHolding, then);
            return;
        }
        ClockReading heldFrom = TokenHolders.now(client.process());
        Term left =
                Term.ofMillis(Math.max(1, simulatedHolding.lease().remaining().toMillis()));
        Key key = simulatedHolding.lease().key();
        Fence fence = simulatedHolding.lease().fence();
        client.detach(simulatedHolding, token -> {
            TokenHolders heir = new TokenHolders(client.process(), key, token, fence, left, heldFrom);
            client.simulation().checks().tell(invariantChecker -> invariantChecker.believes(heir));
            inherit(client, heir, 6);
        });
        then.run();
    }

    /** Renews at random intervals, sometimes too late, and even after another holder has acquired the key. */
    private void inherit(SimClient client, TokenHolders heir, int left) {
        if (left == 0 || client.simulation().isWindingDown()) {
            client.release(heir, () -> {});
            return;
        }
        Runnable next = () -> inherit(client, heir, left - 1);
        Duration pace = client.world().chance(0.2)
                ? TERM.duration().multipliedBy(2)
                : TERM.duration().dividedBy(2);
        client.afterUpTo(pace, () -> client.renew(heir, TERM, next));
    }

    private void operate(SimClient client) {
        if (!client.simulation().isWindingDown()) {
            client.evict(
                    Scenario.pick(client.simulation(), EVICTED),
                    () -> client.afterUpTo(Duration.ofSeconds(3), () -> operate(client)));
        }
    }
}
