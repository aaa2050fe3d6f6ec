package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.internal.control.ControlEditor;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The moves that operators ordered. The planner deletes each of them when it is over. */
final class MoveOrders {
    private final WorkerClient client;
    private final FleetObserver fleetObserver;
    private final PlacementHistory history;
    /** When the worker of a move was first missing, by unit. A worker that has just joined may not be known yet. */
    private final Map<String, Long> missingSinceNanos = new HashMap<>();

    MoveOrders(WorkerClient client, FleetObserver fleetObserver, PlacementHistory history) {
        this.client = client;
        this.fleetObserver = fleetObserver;
        this.history = history;
    }

    /** Deletes the moves that are over. */
    CompletionStage<Void> deleteOver() {
        long now = client.nanos();
        Set<String> over = new HashSet<>();
        Map<String, ControlState.UnitMove> moves =
                fleetObserver.orders().state().moves();
        missingSinceNanos.keySet().retainAll(moves.keySet());
        moves.forEach((unit, move) -> {
            if (isOver(unit, move.worker(), now)) {
                over.add(unit);
            }
        });
        return new ControlEditor(client.async(), client.layout())
                .deleteMoves(over)
                .thenRun(() -> fleetObserver.orders().dropMoves(over));
    }

    private boolean isOver(String unit, String worker, long now) {
        FleetObserver.WatchedWorker target = fleetObserver.member(worker);
        if (target != null) {
            missingSinceNanos.remove(unit);
        }
        return !fleetObserver.catalog().isOpen(unit)
                || fleetObserver.orders().state().drained().containsKey(worker)
                || !history.mayHave(worker, unit, now)
                || (target != null && target.report().leaving())
                || (target == null && isMissingForLong(unit, now));
    }

    private boolean isMissingForLong(String unit, long now) {
        Long since = missingSinceNanos.putIfAbsent(unit, now);
        return since != null && now - since > 2 * client.options().term().toNanos();
    }
}
