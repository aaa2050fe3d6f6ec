package dev.holdfast.fleet.internal.callback;

import dev.holdfast.fleet.Unit;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of callbacks that may block, on an executor. */
public final class CallbackCalls implements UnitCalls {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final Consumer<Unit> onAssigned;
    private final Consumer<List<Unit>> onRevoked;
    private final boolean together;
    private final Threads threads;

    /**
     * The threads of the callbacks.
     *
     * @param spare stops work if {@code executor} rejects the task, because the unit is handed over afterwards
     * @param inside marks the threads while they run callbacks
     */
    public record Threads(Executor executor, Executor spare, WorkerThreads inside) {}

    /**
     * @param together whether {@code onRevoked} gets all units of a hand-over in one call, or each one in its own call
     */
    public CallbackCalls(Consumer<Unit> onAssigned, Consumer<List<Unit>> onRevoked, boolean together, Threads threads) {
        this.onAssigned = onAssigned;
        this.onRevoked = onRevoked;
        this.together = together;
        this.threads = threads;
    }

    @Override
    public UserCall assigned(Unit unit) {
        UserCall call = new UserCall();
        try {
            threads.executor().execute(() -> run(call, () -> onAssigned.accept(unit)));
        } catch (Throwable e) {
            call.end(e);
        }
        return call;
    }

    @Override
    public List<UserCall> revoked(List<Unit> units) {
        if (together) {
            UserCall call = revoke(units);
            return Stream.generate(() -> call).limit(units.size()).toList();
        }
        return units.stream().map(unit -> revoke(List.of(unit))).toList();
    }

    private UserCall revoke(List<Unit> units) {
        UserCall call = new UserCall();
        Runnable task = () -> run(call, () -> onRevoked.accept(units));
        try {
            threads.executor().execute(task);
        } catch (Throwable e) {
            log.warn("the executor rejected the callback that stops {}; another thread runs it", units, e);
            threads.spare().execute(task);
        }
        return call;
    }

    private void run(UserCall call, Runnable callback) {
        if (!call.begin()) {
            return;
        }
        try {
            threads.inside().run(callback);
            call.end(null);
        } catch (Throwable e) {
            // An Error too: otherwise the unit would hang here forever.
            call.end(e);
        }
    }
}
