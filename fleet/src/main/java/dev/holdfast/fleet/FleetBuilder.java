package dev.holdfast.fleet;

import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.environment.ProcessIdentity;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.execution.UnitCallbacks;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.reports.WorkerProfile;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.fleet.internal.unplanned.UnplannedWorker;
import dev.holdfast.fleet.internal.worker.FleetParticipant;
import dev.holdfast.fleet.internal.worker.PlannedWorker;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A builder of {@link Fleet} workers. The callbacks may block, but {@link #onAssigned} only briefly. It starts the work
 * on another thread and returns: the unit cannot be stopped before that.
 *
 * <p>An invalid value is rejected at once. Settings that contradict each other are rejected by {@link #join}. The
 * methods may be called in any order.
 */
public final class FleetBuilder {
    private final Leases leases;
    private FleetKeyLayout layout;
    private @Nullable String worker;
    private @Nullable Duration term;
    private FleetOptions options = FleetOptions.defaults();
    private int maxUnits = Integer.MAX_VALUE;
    private final Map<String, String> labels = new TreeMap<>();
    private @Nullable DoubleSupplier load;
    private @Nullable Consumer<Unit> onAssigned;
    private @Nullable Consumer<Unit> onRevoked;
    private @Nullable Consumer<List<Unit>> onRevokedTogether;
    private @Nullable UnitHandler handler;
    private @Nullable Executor executor;
    private FleetListener listener = FleetListener.NONE;
    private AssignmentStrategy assignmentStrategy = AssignmentStrategy.byCount();

    FleetBuilder(Leases leases, FleetKeyLayout layout) {
        this.leases = leases;
        this.layout = layout;
    }

    /** Sets the name of this worker. No two live workers of a fleet may have the same name. Default: a unique name. */
    public FleetBuilder worker(String name) {
        worker = name;
        return this;
    }

    /**
     * Sets how long a worker may go without renewing before its units go to others. Default: the term of the options,
     * which is 10 seconds unless set. If the term is set both here and in the options, the two must be equal.
     */
    public FleetBuilder term(Duration newTerm) {
        term = Term.of(newTerm).duration();
        return this;
    }

    /** Sets timers and bounds. Default: {@link FleetOptions#defaults}. */
    public FleetBuilder options(FleetOptions newOptions) {
        options = newOptions;
        return this;
    }

    /** Sets the maximum number of units of this worker, its capacity. Default: unlimited. */
    public FleetBuilder maxUnits(int most) {
        if (most < 1) {
            throw ArgumentCheck.bad("maxUnits", most, ">= 1");
        }
        maxUnits = most;
        return this;
    }

    /**
     * Adds a label of this worker, such as its zone. Units may require or prefer labels: see {@link Units}. A worker has
     * at most {@value LabelConditions#LABELS_MAX} labels, each with one value. They need a planner.
     */
    public FleetBuilder label(String name, String value) {
        LabelConditions.requireLabel(name, value);
        labels.put(name, value);
        if (labels.size() > LabelConditions.LABELS_MAX) {
            throw ArgumentCheck.bad("labels", labels.size(), "<= " + LabelConditions.LABELS_MAX);
        }
        return this;
    }

    /**
     * Sets a measure of the load of this worker, for {@link FleetSituation#load} and for people. Any number from 0 on; the
     * built-in strategies do not use it. It is called at every poll and must not block. A changed load is reported at most
     * once per term, and only if it has changed by a tenth or more, because each report is a write. Default: none.
     */
    public FleetBuilder load(DoubleSupplier measure) {
        load = measure;
        return this;
    }

    /**
     * Sets the callback for a unit that was assigned to this worker. It starts the work on another thread and returns.
     * It may block briefly, for example to load a checkpoint, but must not do the work itself: {@code onRevoked} is
     * called only after it has returned. If it takes longer than {@link FleetOptions#startDeadline}, the worker reports
     * itself unhealthy. If it throws, the unit is released and retried on another worker after a back-off.
     */
    public FleetBuilder onAssigned(Consumer<Unit> callback) {
        onAssigned = callback;
        return this;
    }

    /**
     * Sets the callback that stops the work on a unit. It is called once for each unit that was started and is not
     * done. It may block, and returns when the work has stopped.
     *
     * <p>The unit is handed over when the callback returns, or when it has run for {@link FleetOptions#revokeDeadline}.
     * It is never handed over before the callback has started. {@link Unit#revoked} returns the reason.
     */
    public FleetBuilder onRevoked(Consumer<Unit> callback) {
        onRevoked = callback;
        return this;
    }

    /**
     * Sets a callback that stops several units at once, so that their progress can be committed together. It replaces
     * {@code onRevoked}. It is called with all units that this worker must stop in one step:
     * <ul>
     * <li>the units that one new plan takes away,
     * <li>the units left when the fleet is closed,
     * <li>all units, when the worker is losing its place in the fleet.
     * </ul>
     *
     * <p>Units that are lost individually are passed individually. So is a unit whose {@code onAssigned} has not
     * returned yet. The callback may block. All its units are handed over when it returns, or when the deadline has
     * passed since it began.
     */
    public FleetBuilder onRevokedTogether(Consumer<List<Unit>> callback) {
        onRevokedTogether = callback;
        return this;
    }

    /**
     * Sets where the callbacks run. Default: each callback runs on its own thread. The thread is virtual where the JVM
     * supports it, otherwise it comes from a pool of the client.
     *
     * <p>An executor with few threads is safe but slow: a unit is not handed over while its callback waits for a
     * thread. An executor that runs callbacks on the calling thread lets one blocking callback stop the whole worker.
     */
    public FleetBuilder executor(Executor newExecutor) {
        executor = newExecutor;
        return this;
    }

    /** Sets a handler that does not block. It replaces the callbacks and their executor. */
    public FleetBuilder handler(UnitHandler newHandler) {
        handler = newHandler;
        return this;
    }

    public FleetBuilder listener(FleetListener newListener) {
        listener = newListener;
        return this;
    }

    /** Sets the strategy that this worker uses when it is the planner. Default: {@link AssignmentStrategy#byCount}. */
    public FleetBuilder strategy(AssignmentStrategy newStrategy) {
        assignmentStrategy = newStrategy;
        return this;
    }

    /**
     * Runs the worker without a planner. This is for stores that record only the holder of a lease, and for sharing
     * such a store with workers of other tools.
     *
     * <p>In every plan interval the worker lists all units. It acquires free units until it has its share. If none are
     * free, it steals from the worker with the most units, {@link FleetOptions#maxMoves} at a time (1 by default). Each
     * unit is renewed separately.
     *
     * <p>Stealing is not cooperative. A worker detects a stolen unit when it next lists the units, every {@link
     * FleetOptions#lookEvery}, or when it renews the unit. Until then only the fence protects the resource.
     */
    public FleetBuilder withoutPlanner() {
        return withoutPlanner(layout.units());
    }

    /** Same as {@link #withoutPlanner()}, where every key of this namespace is a unit. The namespace may be empty. */
    public FleetBuilder withoutPlanner(String namespace) {
        layout = FleetKeyLayout.withoutPlanner(layout.fleet(), namespace);
        return this;
    }

    /**
     * Joins the fleet. If a worker of this name has just died, joining takes until its term is over.
     *
     * @throws NotGrantedException if a worker of this name is alive
     * @throws StoreException if the store fails
     */
    public Fleet join() {
        return WorkerClient.await(leases, this::joinAsync);
    }

    /** @see #join */
    public CompletionStage<Fleet> joinAsync() {
        if (!layout.planned() && (load != null || !labels.isEmpty())) {
            throw ArgumentCheck.bad("fleet", "labels or a load without a planner", "neither, or a planner");
        }
        WorkerClient client = new WorkerClient(leases, layout, workerName(), options.withBuilderTerm(term));
        WorkerStepLoop stepLoop = new WorkerStepLoop(client.runtime(), listener);
        CallbackRunner callbacks = new CallbackRunner(callbacks(stepLoop), client.options(), stepLoop);
        FleetParticipant participant = layout.planned()
                ? new PlannedWorker(
                        client,
                        stepLoop,
                        callbacks,
                        new WorkerProfile(maxUnits, labels, OptionalDouble.empty()),
                        load,
                        assignmentStrategy)
                : new UnplannedWorker(client, stepLoop, callbacks, maxUnits);
        Fleet fleet = new Fleet(client, participant, stepLoop);
        return participant.join().thenApply(nothing -> fleet);
    }

    private UnitCallbacks callbacks(WorkerStepLoop stepLoop) {
        rejectBoth("handler", handler, "onAssigned", onAssigned);
        rejectBoth("handler", handler, "onRevoked", onRevoked);
        rejectBoth("handler", handler, "onRevokedTogether", onRevokedTogether);
        rejectBoth("handler", handler, "executor", executor);
        rejectBoth("onRevoked", onRevoked, "onRevokedTogether", onRevokedTogether);
        if (handler != null) {
            return new UnitCallbacks.NonBlocking(handler);
        }
        Executor spare = LeaseService.of(leases).environment()::executeBlocking;
        Executor first = executor == null ? spare : executor;
        Consumer<Unit> begin = onAssigned == null ? unit -> {} : onAssigned;
        if (onRevokedTogether != null) {
            return new UnitCallbacks.Blocking(begin, onRevokedTogether, true, first, spare, stepLoop);
        }
        Consumer<Unit> stop = onRevoked == null ? unit -> {} : onRevoked;
        return new UnitCallbacks.Blocking(begin, units -> units.forEach(stop), false, first, spare, stepLoop);
    }

    private static void rejectBoth(String first, @Nullable Object a, String second, @Nullable Object b) {
        if (a != null && b != null) {
            throw ArgumentCheck.bad("fleet", "both " + first + " and " + second + " are set", "one of them");
        }
    }

    /** Generates a new name for each join, because no two live workers may have the same one. */
    private String workerName() {
        if (worker != null) {
            return worker;
        }
        String unique =
                LeaseService.of(leases).environment().randomId().toString().substring(0, 8);
        return ProcessIdentity.holder().name() + "-" + unique;
    }
}
