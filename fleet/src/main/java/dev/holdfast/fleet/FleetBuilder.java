package dev.holdfast.fleet;

import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.Term;
import dev.holdfast.fleet.internal.callback.CallbackCalls;
import dev.holdfast.fleet.internal.callback.HandlerCalls;
import dev.holdfast.fleet.internal.callback.UnitCalls;
import dev.holdfast.fleet.internal.callback.WorkerThreads;
import dev.holdfast.fleet.internal.units.FleetNames;
import dev.holdfast.fleet.internal.worker.FleetMember;
import dev.holdfast.fleet.internal.worker.PlannedWorker;
import dev.holdfast.fleet.internal.worker.UnplannedWorker;
import dev.holdfast.fleet.internal.worker.WorkerSetup;
import dev.holdfast.internal.ArgumentCheck;
import dev.holdfast.internal.BlockingCalls;
import dev.holdfast.internal.environment.ProcessIdentity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Fleet}. The callbacks may block, {@link #onAssigned} for a moment only: it starts the work elsewhere and
 * returns, as the unit cannot be stopped before it has.
 *
 * <p>A bad value is refused at once, and settings that contradict each other when the fleet is joined. In which order the
 * methods are called makes no difference.
 */
public final class FleetBuilder {
    private final Leases leases;
    private FleetNames fleetNames;
    private boolean planned = true;
    private @Nullable String worker;
    private @Nullable Duration term;
    private FleetOptions options = FleetOptions.defaults();
    private int maxUnits = Integer.MAX_VALUE;
    private @Nullable Consumer<Unit> onAssigned;
    private @Nullable Consumer<Unit> onRevoked;
    private @Nullable Consumer<List<Unit>> onRevokedTogether;
    private @Nullable UnitHandler handler;
    private @Nullable Executor executor;
    private FleetListener listener = FleetListener.NONE;
    private AssignmentStrategy assignmentStrategy = AssignmentStrategy.byCount();

    FleetBuilder(Leases leases, FleetNames fleetNames) {
        this.leases = leases;
        this.fleetNames = fleetNames;
    }

    /** What this worker is called; no two that are alive may be called the same. Default: a unique name. */
    public FleetBuilder worker(String name) {
        worker = name;
        return this;
    }

    /**
     * How long a worker may stay silent before its units go to others. Default: the term of the options, which is 10 seconds
     * unless it was set. It must not be set here and there to different times.
     */
    public FleetBuilder term(Duration newTerm) {
        term = Term.of(newTerm).duration();
        return this;
    }

    /** Timers and bounds. Default: {@link FleetOptions#defaults}. */
    public FleetBuilder options(FleetOptions newOptions) {
        options = newOptions;
        return this;
    }

    /** The most units that this worker takes. Default: no bound. */
    public FleetBuilder maxUnits(int most) {
        if (most < 1) {
            throw ArgumentCheck.bad("maxUnits", most, ">= 1");
        }
        maxUnits = most;
        return this;
    }

    /**
     * Called when this worker is given a unit: start the work on another thread, and return. It may block for a moment, to
     * load a checkpoint say, but it must not do the work itself: {@code onRevoked} is called only after it has returned, and
     * a worker in which it takes longer than {@link FleetOptions#startDeadline} is not healthy. If it throws, the unit is
     * given back, and tried elsewhere after a while.
     */
    public FleetBuilder onAssigned(Consumer<Unit> callback) {
        onAssigned = callback;
        return this;
    }

    /**
     * Called once for each unit that was begun and not done: stop the work, and return when it has stopped. It may block.
     * When it returns, or {@link FleetOptions#revokeDeadline} has passed since it began, the unit is handed over; not before
     * it has begun. {@link Unit#revoked} says why.
     */
    public FleetBuilder onRevoked(Consumer<Unit> callback) {
        onRevoked = callback;
        return this;
    }

    /**
     * Instead of {@code onRevoked}: called with all units that this worker is to stop in one step, so that the progress of
     * all can be committed at once. That is all that one new plan takes away, all that are left when the fleet is closed,
     * and all that there are when the worker is losing its place in the fleet. Units that are lost one by one come one by
     * one; so does a unit whose {@code onAssigned} has not returned yet. It may block. When it returns all of them are handed
     * over, or when the deadline has passed since it began.
     */
    public FleetBuilder onRevokedTogether(Consumer<List<Unit>> callback) {
        onRevokedTogether = callback;
        return this;
    }

    /**
     * Where the callbacks run. Default: each on a thread of its own, virtual where the JVM has them, else one of a pool of
     * the client. An executor with few threads is safe, but slow: a unit whose callback waits for a thread is not handed
     * over. An executor that runs callbacks on the calling thread lets one that blocks stop the whole worker.
     */
    public FleetBuilder executor(Executor newExecutor) {
        executor = newExecutor;
        return this;
    }

    /** Instead of the callbacks and their executor: a handler that does not block. */
    public FleetBuilder handler(UnitHandler newHandler) {
        handler = newHandler;
        return this;
    }

    public FleetBuilder listener(FleetListener newListener) {
        listener = newListener;
        return this;
    }

    /** How this worker spreads units when it is the planner. Default: {@link AssignmentStrategy#byCount}. */
    public FleetBuilder strategy(AssignmentStrategy newStrategy) {
        assignmentStrategy = newStrategy;
        return this;
    }

    /**
     * Without a planner, for stores that keep nothing but who holds a lease, and to work beside workers of others on such a
     * store. Every plan interval a worker lists all units. It takes free ones until it has its share, else it steals from the
     * worker that has most, {@link FleetOptions#maxMoves} at a time (1 by default). Stealing is by force: a worker notices that
     * a unit was stolen when it next lists the units, every {@link FleetOptions#lookEvery}, or renews it. Until then only the
     * fence protects the resource. Each unit is renewed by itself.
     */
    public FleetBuilder withoutPlanner() {
        planned = false;
        return this;
    }

    /** The same; the units are all keys of this namespace, which may be empty. */
    public FleetBuilder withoutPlanner(String namespace) {
        fleetNames = new FleetNames(fleetNames.fleet(), namespace);
        return withoutPlanner();
    }

    /**
     * Joins the fleet. If a worker of this name has just died, that takes until its term is over.
     *
     * @throws NotGrantedException if a worker of this name is alive
     * @throws StoreException if the store is in trouble
     */
    public Fleet join() {
        return BlockingCalls.uninterruptibly(leases.runtime(), this::joinAsync);
    }

    /** @see #join */
    public CompletionStage<Fleet> joinAsync() {
        WorkerThreads inside = new WorkerThreads();
        String name = workerName();
        WorkerSetup workerSetup = new WorkerSetup(
                leases,
                fleetNames,
                name,
                maxUnits,
                options.besideTerm(term),
                calls(inside),
                inside,
                listener,
                assignmentStrategy);
        FleetMember fleetMember = planned ? new PlannedWorker(workerSetup) : new UnplannedWorker(workerSetup);
        Fleet fleet = new Fleet(leases, fleetNames, name, fleetMember, inside, planned);
        return fleetMember.join().thenApply(nothing -> fleet);
    }

    private UnitCalls calls(WorkerThreads inside) {
        refuseBoth("handler", handler, "onAssigned", onAssigned);
        refuseBoth("handler", handler, "onRevoked", onRevoked);
        refuseBoth("handler", handler, "onRevokedTogether", onRevokedTogether);
        refuseBoth("handler", handler, "executor", executor);
        refuseBoth("onRevoked", onRevoked, "onRevokedTogether", onRevokedTogether);
        if (handler != null) {
            return new HandlerCalls(handler);
        }
        Executor spare = leases.runtime()::executeBlocking;
        CallbackCalls.Threads threads = new CallbackCalls.Threads(executor == null ? spare : executor, spare, inside);
        Consumer<Unit> begin = onAssigned == null ? unit -> {} : onAssigned;
        if (onRevokedTogether != null) {
            return new CallbackCalls(begin, onRevokedTogether, true, threads);
        }
        Consumer<Unit> stop = onRevoked == null ? unit -> {} : onRevoked;
        return new CallbackCalls(begin, units -> units.forEach(stop), false, threads);
    }

    private static void refuseBoth(String first, @Nullable Object a, String second, @Nullable Object b) {
        if (a != null && b != null) {
            throw ArgumentCheck.bad("fleet", "both " + first + " and " + second + " are set", "one of them");
        }
    }

    /** A new one for each join, as no two workers that are alive may have the same name. */
    private String workerName() {
        if (worker != null) {
            return worker;
        }
        String unique = leases.runtime().randomId().toString().substring(0, 8);
        return ProcessIdentity.holder().name() + "-" + unique;
    }
}
