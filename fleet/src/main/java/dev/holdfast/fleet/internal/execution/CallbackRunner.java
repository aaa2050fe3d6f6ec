package dev.holdfast.fleet.internal.execution;

import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runner of the user's callbacks. It calls the callbacks of all units that one step stops together, when the step
 * ends. It also detects calls that take too long. There is at most one call for each unit of the worker.
 *
 * <p>Confined to the worker's {@link WorkerStepLoop}, except {@link #health}: any thread may query it, so that a worker
 * whose own steps are blocked can still report it.
 */
public final class CallbackRunner {
    private final UnitCallbacks unitCallbacks;
    private final FleetOptions options;
    private final WorkerStepLoop stepLoop;
    private final Set<CallbackExecution> calls = ConcurrentHashMap.newKeySet();
    private final List<UnitCallbacks.UnitCall> stops = new ArrayList<>();

    public CallbackRunner(UnitCallbacks unitCallbacks, FleetOptions options, WorkerStepLoop stepLoop) {
        this.unitCallbacks = unitCallbacks;
        this.options = options;
        this.stepLoop = stepLoop;
    }

    /** Calls the user's code that starts the work. */
    public CallbackExecution start(Unit unit) {
        CallbackExecution call = watch("onAssigned of unit " + unit.name(), options.startDeadline());
        unitCallbacks.assigned(new UnitCallbacks.UnitCall(unit, call));
        return call;
    }

    /** Calls the user's code that stops the work, when this step ends and together with all units that it stops. */
    public CallbackExecution stopAtStepEnd(Unit unit) {
        CallbackExecution call = watch("onRevoked of unit " + unit.name(), options.revokeDeadline());
        stops.add(new UnitCallbacks.UnitCall(unit, call));
        return call;
    }

    public void stepEnded() {
        if (!stops.isEmpty()) {
            List<UnitCallbacks.UnitCall> all = List.copyOf(stops);
            stops.clear();
            unitCallbacks.revoked(all);
        }
    }

    private CallbackExecution watch(String callName, Duration limit) {
        CallbackExecution call = new CallbackExecution(callName, limit, stepLoop);
        calls.add(call);
        Futures.whenDone(call.over(), (yes, error) -> calls.remove(call));
        return call;
    }

    /** Returns whether the user's code blocks the worker, or takes too long. */
    public FleetHealth health() {
        Duration busy = stepLoop.busy();
        if (busy.compareTo(options.term()) > 0) {
            return FleetHealth.bad(
                    "a handler or listener that must not block has blocked the worker for " + busy.toSeconds() + " s");
        }
        List<CallbackExecution> stuck = calls.stream()
                .filter(CallbackExecution::isStuck)
                .sorted(Comparator.comparingLong(CallbackExecution::sinceNanos))
                .toList();
        if (stuck.isEmpty()) {
            return FleetHealth.GOOD;
        }
        String others = stuck.size() == 1 ? "" : "; and " + (stuck.size() - 1) + " more";
        return FleetHealth.bad(stuck.get(0) + others);
    }
}
