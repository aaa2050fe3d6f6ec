package dev.holdfast.fleet.internal.execution;

import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user's code for units. Neither method throws or blocks. */
public sealed interface UnitCallbacks {
    void assigned(UnitCall start);

    void revoked(List<UnitCall> stops);

    /** A unit, and the call of the user's code that starts or stops it. */
    record UnitCall(Unit unit, CallbackExecution call) {}

    /** A handler that does not block, called on the thread of the worker's step. */
    record NonBlocking(UnitHandler handler) implements UnitCallbacks {
        @Override
        public void assigned(UnitCall start) {
            start.call.run(() -> handler.assigned(start.unit));
        }

        @Override
        public void revoked(List<UnitCall> stops) {
            Iterator<? extends CompletionStage<?>> stages =
                    stages(stops.stream().map(UnitCall::unit).toList()).iterator();
            stops.forEach(stop -> stop.call.run(stages::next));
        }

        private List<? extends CompletionStage<?>> stages(List<Unit> units) {
            try {
                List<? extends CompletionStage<?>> stages = handler.revokedTogether(units);
                if (stages != null && stages.size() == units.size()) {
                    return stages;
                }
                throw new IllegalStateException("revokedTogether returned " + (stages == null ? null : stages.size())
                        + " stages (expected: " + units.size() + ", one for each unit)");
            } catch (Throwable e) {
                return units.stream()
                        .map(unit -> CompletableFuture.failedFuture(e))
                        .toList();
            }
        }
    }

    /**
     * Callbacks that may block, called on an executor.
     *
     * @param together whether {@code onRevoked} gets all units of a hand-over in one call, or each one in its own call
     * @param spare stops work if {@code executor} rejects the task, because the unit is handed over afterwards
     * @param stepLoop marks the threads while they run callbacks
     */
    record Blocking(
            Consumer<Unit> onAssigned,
            Consumer<List<Unit>> onRevoked,
            boolean together,
            Executor executor,
            Executor spare,
            WorkerStepLoop stepLoop)
            implements UnitCallbacks {
        private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

        @Override
        public void assigned(UnitCall start) {
            try {
                executor.execute(() -> run(List.of(start), () -> onAssigned.accept(start.unit)));
            } catch (Throwable e) {
                start.call.end(e);
            }
        }

        @Override
        public void revoked(List<UnitCall> stops) {
            if (together) {
                revokeTogether(stops);
            } else {
                stops.forEach(stop -> revokeTogether(List.of(stop)));
            }
        }

        private void revokeTogether(List<UnitCall> stops) {
            List<Unit> units = stops.stream().map(UnitCall::unit).toList();
            Runnable task = () -> run(stops, () -> onRevoked.accept(units));
            try {
                executor.execute(task);
            } catch (Throwable e) {
                log.warn("the executor rejected the callback that stops {}; another thread runs it", units, e);
                spare.execute(task);
            }
        }

        private void run(List<UnitCall> calls, Runnable callback) {
            if (!calls.stream().allMatch(unitCall -> unitCall.call.begin())) {
                return; // Dropped: only the start of a unit can be, which is a call by itself.
            }
            Throwable failure = null;
            try {
                stepLoop.runMarked(callback);
            } catch (Throwable e) {
                failure = e; // An Error too: otherwise the units would hang here forever.
            }
            for (UnitCall unitCall : calls) {
                unitCall.call.end(failure);
            }
        }
    }
}
