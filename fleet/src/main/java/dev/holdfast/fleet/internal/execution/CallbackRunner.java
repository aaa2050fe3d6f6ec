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
    private final Set<WatchedCallback> calls = ConcurrentHashMap.newKeySet();
    private final List<UnitCallbacks.UnitStop> stops = new ArrayList<>();

    public CallbackRunner(UnitCallbacks unitCallbacks, FleetOptions options, WorkerStepLoop stepLoop) {
        this.unitCallbacks = unitCallbacks;
        this.options = options;
        this.stepLoop = stepLoop;
    }

    /** Calls the user's code that starts the work. */
    public CallbackExecution start(Unit unit) {
        CallbackExecution call = unitCallbacks.assigned(unit);
        watch("onAssigned of unit " + unit.name(), call, options.startDeadline());
        return call;
    }

    /** Calls the user's code that stops the work, when this step ends and together with all units that it stops. */
    public CallbackExecution stopAtStepEnd(Unit unit) {
        CallbackExecution call = new CallbackExecution();
        watch("onRevoked of unit " + unit.name(), call, options.revokeDeadline());
        stops.add(new UnitCallbacks.UnitStop(unit, call));
        return call;
    }

    public void stepEnded() {
        if (!stops.isEmpty()) {
            List<UnitCallbacks.UnitStop> all = List.copyOf(stops);
            stops.clear();
            unitCallbacks.revoked(all);
        }
    }

    /** @param limit how long the call may wait for a thread, and then how long it may run */
    private void watch(String callName, CallbackExecution call, Duration limit) {
        WatchedCallback watched = new WatchedCallback(callName, limit, stepLoop.nanos());
        calls.add(watched);
        call.onBegun(() -> {
            watched.sinceNanos = stepLoop.nanos();
            watched.begun = true;
        });
        Futures.whenDone(call.over(), (yes, error) -> calls.remove(watched));
    }

    private static final class WatchedCallback {
        private final String callName;
        private final Duration limit;
        private volatile long sinceNanos;
        private volatile boolean begun;

        private WatchedCallback(String callName, Duration limit, long nowNanos) {
            this.callName = callName;
            this.limit = limit;
            this.sinceNanos = nowNanos;
        }

        private Duration age(long nowNanos) {
            return Duration.ofNanos(nowNanos - sinceNanos);
        }

        private String describe(long nowNanos) {
            String time = age(nowNanos).toMillis() + " ms";
            return callName + (begun ? " has run for " + time : " has waited " + time + " for a thread")
                    + " (expected: <= " + limit.toMillis() + " ms)";
        }
    }

    /** Returns whether the user's code blocks the worker, or takes too long. */
    public FleetHealth health() {
        Duration busy = stepLoop.busy();
        if (busy.compareTo(options.term()) > 0) {
            return FleetHealth.bad(
                    "a handler or listener that must not block has blocked the worker for " + busy.toSeconds() + " s");
        }
        long now = stepLoop.nanos();
        List<WatchedCallback> stuck = calls.stream()
                .filter(call -> call.age(now).compareTo(call.limit) > 0)
                .sorted(Comparator.comparing((WatchedCallback call) -> call.age(now))
                        .reversed())
                .toList();
        if (stuck.isEmpty()) {
            return FleetHealth.GOOD;
        }
        String others = stuck.size() == 1 ? "" : "; and " + (stuck.size() - 1) + " more";
        return FleetHealth.bad(stuck.get(0).describe(now) + others);
    }
}
