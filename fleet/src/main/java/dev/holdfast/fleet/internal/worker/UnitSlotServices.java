package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.callback.CallbackWatch;
import dev.holdfast.fleet.internal.callback.UserCall;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services that the slots of a worker share: acquiring units, notifying the listener, and the view of held units.
 */
public final class UnitSlotServices {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final WorkerSetup workerSetup;
    private final Terms terms;
    private final SerialExecutor serialExecutor;
    private final CallbackWatch callbacks;
    private final Map<String, HeldUnit> held = new ConcurrentHashMap<>();
    /** Units that the current step has decided to stop. They are stopped together when the step ends. */
    private final List<Stop> stops = new ArrayList<>();

    /** When the current step began; undefined if no step is running. */
    private volatile long stepNanos;

    private volatile boolean inStep;

    private record Stop(HeldUnit unit, Consumer<UserCall> stopping) {}

    /** The way a worker gets its units. */
    interface Terms {
        boolean mayAcquire(String unit);

        /** Whether work may begin on a granted unit. */
        boolean mayStart();

        CompletionStage<AcquireResult> acquire(String unit);

        /** Releases a unit that is held in this worker's name by mistake. Completes when it is certainly not held. */
        CompletionStage<Void> reclaim(String unit);

        /** Whether the granted key really is a unit; if not, it is released. */
        boolean isUnit(Lease lease);

        /** Called when work on a unit begins. */
        void starting(UnitSlot unitSlot, Lease lease);

        /** Called when the worker's state has changed. */
        void changed();

        /** Called when the report contains news that cannot wait for the next poll. */
        void reportNow();

        /** The minimum time for which a unit that failed is left to other workers. */
        Duration minBackoff();

        void forget(UnitSlot unitSlot);
    }

    UnitSlotServices(WorkerSetup workerSetup, Terms terms) {
        this.workerSetup = workerSetup;
        this.terms = terms;
        this.callbacks = new CallbackWatch(workerSetup.runtime());
        this.serialExecutor =
                new SerialExecutor(bug -> log.error("a step of a fleet failed; this is a bug in Holdfast", bug));
    }

    public void run(Runnable task) {
        serialExecutor.run(() -> workerSetup.inside().run(() -> step(task)));
    }

    private void step(Runnable task) {
        stepNanos = nanos();
        inStep = true;
        try {
            task.run();
        } finally {
            stopTogether();
            inStep = false;
        }
    }

    private void stopTogether() {
        if (stops.isEmpty()) {
            return;
        }
        List<Stop> all = List.copyOf(stops);
        stops.clear();
        List<UserCall> calls =
                workerSetup.calls().revoked(all.stream().<Unit>map(Stop::unit).toList());
        for (int i = 0; i < all.size(); i++) {
            UserCall call = calls.get(i);
            Stop stop = all.get(i);
            callbacks.watch(
                    "onRevoked of unit " + stop.unit.name(), call, options().revokeDeadline());
            stop.stopping.accept(call);
        }
    }

    public HostEnvironment runtime() {
        return workerSetup.runtime();
    }

    public long nanos() {
        return workerSetup.runtime().nanos();
    }

    public HostEnvironment.Timer schedule(Duration delay, Runnable task) {
        return workerSetup.runtime().schedule(delay, () -> run(task));
    }

    public FleetOptions options() {
        return workerSetup.options();
    }

    /** Calls the user's code that starts the work. */
    UserCall callAssigned(HeldUnit unit) {
        UserCall call = workerSetup.calls().assigned(unit);
        callbacks.watch("onAssigned of unit " + unit.name(), call, options().startDeadline());
        return call;
    }

    /**
     * Calls the user's code that stops the work, together with all other units that this step stops.
     *
     * @param stopping receives the call when this step ends
     */
    void stopAtEndOfStep(HeldUnit unit, Consumer<UserCall> stopping) {
        stops.add(new Stop(unit, stopping));
    }

    /** Whether the user's code blocks the worker. */
    FleetHealth health() {
        boolean stepping = inStep; // Read first: the time read afterwards belongs to that step or a later one.
        Duration busy = Duration.ofNanos(nanos() - stepNanos);
        if (stepping && busy.compareTo(options().term()) > 0) {
            return FleetHealth.bad(
                    "a handler or listener that must not block has blocked the worker for " + busy.toSeconds() + " s");
        }
        return callbacks.health();
    }

    boolean mayAcquire(String unit) {
        return terms.mayAcquire(unit);
    }

    boolean mayStart() {
        return terms.mayStart();
    }

    CompletionStage<AcquireResult> acquire(String unit) {
        return terms.acquire(unit);
    }

    CompletionStage<Void> reclaim(String unit) {
        return terms.reclaim(unit);
    }

    boolean isUnit(Lease lease) {
        return terms.isUnit(lease);
    }

    void starting(UnitSlot unitSlot, Lease lease) {
        terms.starting(unitSlot, lease);
    }

    void changed() {
        terms.changed();
    }

    void reportNow() {
        terms.reportNow();
    }

    Duration backoff(int failures) {
        Duration minimum = terms.minBackoff();
        Duration backoff = workerSetup.options().backoff(failures);
        return backoff.compareTo(minimum) < 0 ? minimum : backoff;
    }

    void forget(UnitSlot unitSlot) {
        terms.forget(unitSlot);
    }

    /** Returns a local view of the units held now, without any that are no longer valid. */
    List<Unit> held() {
        return held.values().stream()
                .filter(HeldUnit::isHeld)
                .<Unit>map(unit -> unit)
                .toList();
    }

    int heldCount() {
        return held.size();
    }

    void addHeld(HeldUnit unit) {
        held.put(unit.name(), unit);
        notifyListener(() -> workerSetup.listener().onAssigned(unit.name(), unit.fence()));
    }

    void removeHeld(HeldUnit unit) {
        held.remove(unit.name(), unit);
    }

    void notifyRevoked(HeldUnit unit) {
        RevokeReason reason = unit.revoked().orElse(RevokeReason.MOVED);
        notifyListener(() -> workerSetup.listener().onRevoked(unit.name(), unit.fence(), reason));
    }

    void notifyOverdue(HeldUnit unit) {
        log.warn("{}: the work had not stopped by its deadline; the unit is released", unit);
        notifyListener(() -> workerSetup.listener().onOverdue(unit.name(), unit.fence()));
    }

    void reportUnitFailed(String unit, Throwable cause) {
        log.warn("unit {}: a callback failed", unit, cause);
        notifyListener(() -> workerSetup.listener().onUnitFailed(unit, cause));
    }

    public void reportTrouble(String operation, @Nullable Throwable cause) {
        Throwable known = cause == null ? new IllegalStateException(operation) : cause;
        log.debug("{} failed and will be retried", operation, known);
        notifyListener(() -> workerSetup.listener().onTrouble(operation, known));
    }

    /** Calls the listener. Also called outside steps: a planner's rounds run on the threads of the store. */
    public void notifyListener(Runnable event) {
        try {
            workerSetup.inside().run(event);
        } catch (Throwable e) {
            log.warn("a listener failed", e);
        }
    }
}
