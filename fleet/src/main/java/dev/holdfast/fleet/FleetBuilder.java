package dev.holdfast.fleet;

import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.fleet.internal.Callbacks;
import dev.holdfast.fleet.internal.LooseWorker;
import dev.holdfast.fleet.internal.Membership;
import dev.holdfast.fleet.internal.Names;
import dev.holdfast.fleet.internal.PlannedWorker;
import dev.holdfast.fleet.internal.Setup;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.runtime.Identity;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Fleet}; refuses a bad value at once. */
public final class FleetBuilder {
    private final Leases leases;
    private Names names;
    private boolean planned = true;
    private @Nullable String worker;
    private FleetOptions options = FleetOptions.defaults();
    private int maxUnits = Integer.MAX_VALUE;
    private Consumer<Unit> onAssigned = unit -> {};
    private Consumer<Unit> onRevoked = unit -> {};
    private @Nullable UnitHandler handler;
    private @Nullable Executor executor;
    private FleetListener listener = FleetListener.NONE;
    private Strategy strategy = Strategy.byCount();

    FleetBuilder(Leases leases, Names names) {
        this.leases = leases;
        this.names = names;
    }

    /** What this worker is called; no two that are alive may be called the same. Default: a unique name. */
    public FleetBuilder worker(String name) {
        worker = name;
        return this;
    }

    /** How long a worker may stay silent before its units go to others. Default: 10 seconds. */
    public FleetBuilder term(Duration term) {
        options = options.term(term);
        return this;
    }

    public FleetBuilder options(FleetOptions newOptions) {
        options = newOptions;
        return this;
    }

    /** The most units that this worker takes. Default: no bound. */
    public FleetBuilder maxUnits(int most) {
        if (most < 1) {
            throw Check.bad("maxUnits", most, ">= 1");
        }
        maxUnits = most;
        return this;
    }

    /**
     * Called when this worker is given a unit: begin with it. If it throws, the unit is given back, and tried elsewhere
     * after a while.
     */
    public FleetBuilder onAssigned(Consumer<Unit> callback) {
        onAssigned = callback;
        return this;
    }

    /**
     * Called once for each unit that was begun and not done: stop with it. When it returns, or its deadline has passed,
     * the unit is handed over. {@link Unit#revoked} says why.
     */
    public FleetBuilder onRevoked(Consumer<Unit> callback) {
        onRevoked = callback;
        return this;
    }

    /**
     * Where {@code onAssigned} and {@code onRevoked} run. Default: one after another on the client's callback thread; give
     * an executor with more threads if stopping takes long and there are many units.
     */
    public FleetBuilder executor(Executor newExecutor) {
        executor = newExecutor;
        return this;
    }

    /** Instead of the two callbacks: one that does not block. */
    public FleetBuilder handler(UnitHandler newHandler) {
        handler = newHandler;
        return this;
    }

    public FleetBuilder listener(FleetListener newListener) {
        listener = newListener;
        return this;
    }

    /** How this worker spreads units when it is the planner. Default: {@link Strategy#byCount}. */
    public FleetBuilder strategy(Strategy newStrategy) {
        strategy = newStrategy;
        return this;
    }

    /**
     * Without a planner, for stores that keep nothing but who holds a lease, and to work beside workers of others on such a
     * store. Each worker lists all units every plan interval; it takes what is free until it has its share, else it steals
     * from whoever has most, {@link FleetOptions#maxMoves} at a time (1 by default). Stealing is by force: the one stolen
     * from learns of it when it next renews, and until then only the fence protects the resource. Each unit is renewed by
     * itself.
     */
    public FleetBuilder withoutPlanner() {
        planned = false;
        return this;
    }

    /** The same; the units are all keys of this namespace, which may be empty. */
    public FleetBuilder withoutPlanner(String namespace) {
        names = new Names(names.fleet(), namespace);
        return withoutPlanner();
    }

    /**
     * Joins the fleet. If a worker of this name has just died, that takes until its term is over.
     *
     * @throws NotGrantedException if a worker of this name is alive
     * @throws StoreException if the store is in trouble
     */
    public Fleet join() {
        return Await.uninterruptibly(leases.runtime(), this::joinAsync);
    }

    /** @see #join */
    public CompletionStage<Fleet> joinAsync() {
        Membership membership = planned ? new PlannedWorker(setup()) : new LooseWorker(setup());
        Fleet fleet = new Fleet(leases, names, workerName(), membership, planned);
        return membership.join().thenApply(nothing -> fleet);
    }

    private Setup setup() {
        return new Setup(leases, names, workerName(), maxUnits, options, callbacks(), listener, strategy);
    }

    private UnitHandler callbacks() {
        Executor runs = executor == null ? leases.runtime()::execute : executor;
        return handler == null ? new Callbacks(onAssigned, onRevoked, runs) : handler;
    }

    private String workerName() {
        if (worker == null) {
            String unique = leases.runtime().randomId().toString().substring(0, 8);
            worker = Identity.holder().name() + "-" + unique;
        }
        return worker;
    }
}
