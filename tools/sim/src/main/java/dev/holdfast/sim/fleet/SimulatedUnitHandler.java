package dev.holdfast.sim.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.check.UnitWork;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The unit handler of a simulated worker: it takes time to begin and to stop, sometimes fails, and checkpoints. */
final class SimulatedUnitHandler implements UnitHandler {
    private static final Duration BEGIN_MAX = Duration.ofMillis(50);
    private static final Duration STOP_MAX = Duration.ofMillis(400);

    private final SimClient client;
    private final Map<Unit, UnitWork> works = new HashMap<>();

    SimulatedUnitHandler(SimClient client) {
        this.client = client;
    }

    @Override
    public CompletionStage<?> assigned(Unit unit) {
        client.simulation().tally().operation();
        UnitWork work = new UnitWork(client.process(), unit);
        works.put(unit, work);
        client.report(checker -> checker.worked(work));
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        client.afterUpTo(BEGIN_MAX, () -> {
            if (client.world().chance(0.02)) {
                stop(unit);
                begun.completeExceptionally(new IllegalStateException("could not begin"));
            } else {
                begun.complete(true);
            }
        });
        return begun;
    }

    @Override
    public CompletionStage<?> revoked(Unit unit) {
        UnitWork revoked = works.get(unit);
        if (revoked != null) {
            revoked.requestStop();
        }
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        if (client.world().chance(0.3)) {
            unit.updateAsync(AttributePatch.putting("checkpoint", client.world().nowNanos()));
        }
        client.afterUpTo(STOP_MAX, () -> {
            stop(unit);
            over.complete(true);
        });
        return over;
    }

    private void stop(Unit unit) {
        UnitWork work = works.remove(unit);
        if (work != null) {
            work.stop();
            client.report(checker -> checker.stopped(work));
        }
    }
}
