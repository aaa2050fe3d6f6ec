package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Key;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A scenario of workers that hold units through one anchor each. Some renew it in the background. Others have no
 * threads and renew by hand, sometimes after its term, which succeeds if the anchor has not been evicted.
 */
final class AnchoredWorkers implements SimulationScenario {
    private static final List<Key> UNITS = SimulationScenario.keys(6);
    private static final Duration TERM = Duration.ofMillis(1800);
    private static final Duration PAUSE = Duration.ofMillis(800);

    @Override
    public void play(Simulation simulation) {
        simulation.processes("steady", 3, client -> join(client, this::take));
        for (int i = 0; i < 2; i++) {
            simulation.process(
                    "casual-" + i,
                    simulation.wrongClock(),
                    false,
                    client -> join(client, (casual, anchor, again) -> workCasually(casual, anchor, 20, again)));
        }
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(24), UNITS);
    }

    /** The work of a client under its anchor. It ends by releasing the anchor and calling {@code again}. */
    private interface AnchoredWork {
        void begin(SimClient client, SimulatedHolding anchor, Runnable again);
    }

    private void join(SimClient client, AnchoredWork work) {
        client.loop(PAUSE, again -> client.anchor(TERM, anchor -> work.begin(client, anchor, again), again));
    }

    /** Takes units while the anchor is held. */
    private void take(SimClient client, SimulatedHolding anchor, Runnable again) {
        if (client.simulation().isWindingDown()) {
            client.release(anchor, () -> {});
        } else if (!anchor.lease().isHeld() || client.world().chance(0.03)) {
            client.release(anchor, again);
        } else {
            takeOne(client, anchor, () -> client.afterUpTo(PAUSE, () -> take(client, anchor, again)));
        }
    }

    private void takeOne(SimClient client, SimulatedHolding anchor, Runnable then) {
        AcquireOptions options = AcquireOptions.defaults().under((Anchor) anchor.lease());
        Duration wait = client.world().chance(0.7) ? Duration.ZERO : Duration.ofSeconds(2);
        Consumer<SimulatedHolding> granted = unit -> {
            if (client.world().chance(0.3)) {
                client.holdUpTo(Duration.ofSeconds(2), () -> {}).accept(unit);
            }
            then.run();
        };
        client.acquire(client.world().pick(UNITS), options, wait, granted, then);
    }

    /** Never checks whether the anchor is still held: a failing renewal reveals that. */
    private void workCasually(SimClient client, SimulatedHolding anchor, int left, Runnable again) {
        if (left == 0 || client.simulation().isWindingDown()) {
            client.release(anchor, again);
            return;
        }
        takeOne(client, anchor, () -> {});
        Duration pace = client.world().chance(0.3) ? TERM.multipliedBy(2) : TERM.dividedBy(3);
        client.afterUpTo(pace, () -> client.renew(anchor, () -> workCasually(client, anchor, left - 1, again)));
    }
}
