package dev.holdfast.fleet.internal.execution;

import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user's code for units. Neither method throws or blocks. */
public sealed interface UnitCallbacks {
    CallbackExecution assigned(Unit unit);

    /** Returns one call per unit, in the same order. Units that are stopped together share a call. */
    List<CallbackExecution> revoked(List<Unit> units);

    /** A handler that does not block, called on the thread of the worker's step. */
    record NonBlocking(UnitHandler handler) implements UnitCallbacks {
        @Override
        public CallbackExecution assigned(Unit unit) {
            return CallbackExecution.of(() -> handler.assigned(unit));
        }

        @Override
        public List<CallbackExecution> revoked(List<Unit> units) {
            return stages(units).stream()
                    .map(stage -> CallbackExecution.of(() -> stage))
                    .toList();
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
        public CallbackExecution assigned(Unit unit) {
            CallbackExecution call = new CallbackExecution();
            try {
                executor.execute(() -> run(call, () -> onAssigned.accept(unit)));
            } catch (Throwable e) {
                call.end(e);
            }
            return call;
        }

        @Override
        public List<CallbackExecution> revoked(List<Unit> units) {
            if (together) {
                CallbackExecution call = revoke(units);
                return Stream.generate(() -> call).limit(units.size()).toList();
            }
            return units.stream().map(unit -> revoke(List.of(unit))).toList();
        }

        private CallbackExecution revoke(List<Unit> units) {
            CallbackExecution call = new CallbackExecution();
            Runnable task = () -> run(call, () -> onRevoked.accept(units));
            try {
                executor.execute(task);
            } catch (Throwable e) {
                log.warn("the executor rejected the callback that stops {}; another thread runs it", units, e);
                spare.execute(task);
            }
            return call;
        }

        private void run(CallbackExecution call, Runnable callback) {
            if (!call.begin()) {
                return;
            }
            try {
                stepLoop.runMarked(callback);
                call.end(null);
            } catch (Throwable e) {
                // An Error too: otherwise the unit would hang here forever.
                call.end(e);
            }
        }
    }
}
