package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.Once;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess.ProcessGone;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A scenario of blocking threads that work on a list of keys with {@link Once}: each is done at most once. */
final class OnceRunners implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(12);
    private static final Duration TERM = Duration.ofMillis(1500);

    @Override
    public void play(Simulation simulation) {
        Map<Key, String> doneBy = new HashMap<>();
        Duration pause = Duration.ofMillis(300);
        simulation.processes(
                "runner",
                3,
                client -> client.afterUpTo(pause, () -> client.loop(pause, again -> run(client, doneBy, again))));
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(20), KEYS);
    }

    private void run(SimClient client, Map<Key, String> doneBy, Runnable again) {
        Key key = client.world().pick(KEYS);
        client.simulation().tally().operation();
        try {
            Once once = Once.with(client.leases(), AcquireOptions.defaults().term(TERM));
            Once.Result<String> result = once.call(key, lease -> work(client));
            if (result instanceof Once.Result.Ran<String> ran) {
                note(client.simulation(), doneBy, key, ran.value());
            }
        } catch (ProcessGone e) {
            return;
        } catch (HoldfastException e) {
            // The lease was lost or the store failed: retry later.
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        again.run();
    }

    /** Works for up to two terms. */
    private static String work(SimClient client) throws InterruptedException {
        CompletableFuture<Void> worked = new CompletableFuture<>();
        client.afterUpTo(TERM.multipliedBy(2), () -> worked.complete(null));
        client.environment().await(worked);
        return client.process().name();
    }

    private static void note(Simulation simulation, Map<Key, String> doneBy, Key key, String name) {
        String before = doneBy.putIfAbsent(key, name);
        if (before != null) {
            simulation.checks().violated("3, done happens once", key + " was done by " + before + " and by " + name);
        }
    }
}
