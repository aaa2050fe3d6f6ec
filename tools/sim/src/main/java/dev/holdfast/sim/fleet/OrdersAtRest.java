package dev.holdfast.sim.fleet;

import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UnitWork;
import dev.holdfast.sim.world.SimProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Invariant 8 of a fleet at rest, once faults have healed: the fleet follows all orders in force. */
final class OrdersAtRest extends InvariantChecker {
    private final List<SimProcess> workers;
    private final StoredOrders orders;
    private final Map<String, UnitWork> now = new HashMap<>();

    OrdersAtRest(List<SimProcess> workers, StoredOrders orders) {
        this.workers = workers;
        this.orders = orders;
    }

    @Override
    public void worked(UnitWork work) {
        now.put(work.name(), work);
    }

    @Override
    public void end() {
        Set<String> paused = orders.paused();
        Set<String> drained = orders.drained();
        Map<String, String> moves = orders.moves();
        boolean isFrozen = orders.isFrozen();
        boolean hasOthers = workers.stream().anyMatch(worker -> !drained.contains(worker.name()));
        for (UnitWork work : now.values()) {
            String worker = work.process().name();
            if (!work.isAtWork()) {
                continue;
            }
            if (paused.contains(work.name())) {
                violated("8, a paused unit has no worker", work + " goes on, although the unit is paused");
            }
            if (drained.contains(worker) && !isFrozen && hasOthers) {
                violated("8, a drained worker has no units", work + " goes on, although the worker is drained");
            }
            if (!isFrozen && !worker.equals(moves.getOrDefault(work.name(), worker))) {
                violated("8, a moved unit stays", work + " goes on, although the unit was moved to " + moves);
            }
        }
    }
}
