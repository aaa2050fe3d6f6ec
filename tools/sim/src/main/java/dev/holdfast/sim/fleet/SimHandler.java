package dev.holdfast.sim.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.support.Futures;
import dev.holdfast.sim.SimClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The unit handler of a simulated worker: it takes time to begin and to stop, sometimes fails, and checkpoints. */
final class SimHandler implements UnitHandler {
    private static final Duration BEGIN_MAX = Duration.ofMillis(50);
    private static final Duration STOP_MAX = Duration.ofMillis(400);

    private final SimClient client;
    private final Map<Unit, UnitWork> works = new HashMap<>();

    SimHandler(SimClient client) {
        this.client = client;
    }

    @Override
    public CompletionStage<?> assigned(Unit unit) {
        client.simulation().tally().operation();
        UnitWork unitWork = new UnitWork(client.process(), unit);
        works.put(unit, unitWork);
        client.simulation().checks().tell(invariantChecker -> invariantChecker.worked(unitWork));
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
            revoked.tellToStop();
        }
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        if (client.world().chance(0.3)) {
            Futures.whenDone(
                    unit.updateAsync(
                            AttributePatch.putting("checkpoint", client.world().nowNanos())),
                    (nothing, error) -> {});
        }
        client.afterUpTo(STOP_MAX, () -> {
            stop(unit);
            over.complete(true);
        });
        return over;
    }

    private void stop(Unit unit) {
        UnitWork unitWork = works.remove(unit);
        if (unitWork != null) {
            unitWork.stop();
            client.simulation().checks().tell(invariantChecker -> invariantChecker.stopped(unitWork));
        }
    }
}
