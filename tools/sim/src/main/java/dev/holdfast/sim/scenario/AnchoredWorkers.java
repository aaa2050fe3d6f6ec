package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import java.util.List;

/**
 * A scenario of workers that hold units through one anchor each. Some renew it in the background. Others have no
 * threads and renew by hand, sometimes after its term, which succeeds if the anchor has not been evicted.
 */
final class AnchoredWorkers implements Scenario {
    private static final List<Key> UNITS = Scenario.keys(6);
    private static final Duration TERM = Duration.ofMillis(1800);

    @Override
    public void play(Simulation simulation) {
        for (int i = 0; i < 3; i++) {
            simulation.process("steady-" + i, Scenario.wrongClock(simulation), true, this::join);
        }
        for (int i = 0; i < 2; i++) {
            simulation.process("casual-" + i, Scenario.wrongClock(simulation), false, this::joinCasually);
        }
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(24), UNITS);
    }

    private void join(SimClient client) {
        if (!client.simulation().isWindingDown()) {
            client.anchor(TERM, anchor -> take(client, anchor), () -> later(client, () -> join(client)));
        }
    }

    private static void later(SimClient client, Runnable action) {
        client.afterUpTo(Duration.ofMillis(800), action);
    }

    /** Takes units while the anchor is held, then joins again. */
    private void take(SimClient client, SimulatedHolding anchor) {
        if (client.simulation().isWindingDown()) {
            client.release(anchor, () -> {});
        } else if (!anchor.lease().isHeld() || client.world().chance(0.03)) {
            client.release(anchor, () -> later(client, () -> join(client)));
        } else {
            takeOne(client, anchor, () -> later(client, () -> take(client, anchor)));
        }
    }

    private void takeOne(SimClient client, SimulatedHolding anchor, Runnable then) {
        AcquireOptions options = AcquireOptions.defaults().under((Anchor) anchor.lease());
        Duration wait = client.world().chance(0.7) ? Duration.ZERO : Duration.ofSeconds(2);
        client.acquire(
                Scenario.pick(client.simulation(), UNITS),
                options,
                wait,
                unit -> {
                    if (client.world().chance(0.3)) {
                        client.afterUpTo(Duration.ofSeconds(2), () -> client.release(unit, () -> {}));
                    }
                    then.run();
                },
                then);
    }

    private void joinCasually(SimClient client) {
        if (!client.simulation().isWindingDown()) {
            Runnable again = () -> later(client, () -> joinCasually(client));
            client.anchor(TERM, anchor -> workCasually(client, anchor, 20), again);
        }
    }

    /** Never checks whether the anchor is still held: a failing renewal reveals that. */
    private void workCasually(SimClient client, SimulatedHolding anchor, int left) {
        if (left == 0 || client.simulation().isWindingDown()) {
            client.release(anchor, () -> later(client, () -> joinCasually(client)));
            return;
        }
        takeOne(client, anchor, () -> {});
        Duration pace = client.world().chance(0.3) ? TERM.multipliedBy(2) : TERM.dividedBy(3);
        client.afterUpTo(pace, () -> client.renew(anchor, () -> workCasually(client, anchor, left - 1)));
    }
}
