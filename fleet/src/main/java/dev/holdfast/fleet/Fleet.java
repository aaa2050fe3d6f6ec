package dev.holdfast.fleet;

import dev.holdfast.Leases;
import dev.holdfast.fleet.internal.callback.WorkerThreads;
import dev.holdfast.fleet.internal.units.FleetNames;
import dev.holdfast.fleet.internal.units.FleetStatusReader;
import dev.holdfast.fleet.internal.worker.FleetMember;
import dev.holdfast.internal.BlockingCalls;
import dev.holdfast.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Spreads units of work over whoever is alive. This is one worker's part in it:
 *
 * <pre>{@code
 * try (Fleet fleet = Fleet.of(leases, "orders")
 *     .worker("host-17")
 *     .onAssigned(unit -> processor.start(unit.name(), unit.fence(), unit.attributes()))
 *     .onRevoked(unit -> processor.stopAndCheckpoint(unit))
 *     .join()) {
 *   fleet.units().create("shard-0", "shard-1");
 *   ...
 * }
 * }</pre>
 *
 * <p>Workers renew one lease each, however many units they have. One of them plans for all; which one, and that another
 * follows when it dies, is the fleet's own business. Units are handed over by agreement: their worker is asked to stop,
 * stops, and the next begins. The units of a worker that dies go to others when its term is over.
 *
 * <p>Thread-safe. Close it before its client.
 */
public final class Fleet implements AutoCloseable {
    private final Leases leases;
    private final FleetNames fleetNames;
    private final String worker;
    private final FleetMember fleetMember;
    private final WorkerThreads inside;
    private final boolean planned;

    Fleet(
            Leases leases,
            FleetNames fleetNames,
            String worker,
            FleetMember fleetMember,
            WorkerThreads inside,
            boolean planned) {
        this.leases = leases;
        this.fleetNames = fleetNames;
        this.worker = worker;
        this.fleetMember = fleetMember;
        this.inside = inside;
        this.planned = planned;
    }

    /** A worker of the fleet of this name, to be told what to do and then to join. */
    public static FleetBuilder of(Leases leases, String fleet) {
        return new FleetBuilder(leases, FleetNames.of(fleet));
    }

    /** The units of a fleet, for one who is no worker of it. */
    public static Units units(Leases leases, String fleet) {
        return new Units(leases, FleetNames.of(fleet), true);
    }

    /** How a fleet is, for one who is no worker of it. */
    public static FleetStatus status(Leases leases, String fleet) {
        return BlockingCalls.uninterruptibly(leases.runtime(), () -> statusAsync(leases, fleet));
    }

    /** @see #status(Leases, String) */
    public static CompletionStage<FleetStatus> statusAsync(Leases leases, String fleet) {
        return new FleetStatusReader(leases, FleetNames.of(fleet)).planned();
    }

    /**
     * The units of a fleet whose workers have no planner, for a process that is no worker of it.
     *
     * @param namespace all of its keys are the units; it may be empty
     */
    public static Units unitsWithoutPlanner(Leases leases, String fleet, String namespace) {
        return new Units(leases, new FleetNames(fleet, namespace), false);
    }

    /**
     * How a fleet is whose workers have no planner: its workers are those that hold units, whichever tool they are of.
     *
     * @param namespace all of its keys are the units; it may be empty
     */
    public static FleetStatus statusWithoutPlanner(Leases leases, String fleet, String namespace) {
        FleetStatusReader reader = new FleetStatusReader(leases, new FleetNames(fleet, namespace));
        return BlockingCalls.uninterruptibly(leases.runtime(), reader::loose);
    }

    public String name() {
        return fleetNames.fleet();
    }

    public String worker() {
        return worker;
    }

    public Units units() {
        return new Units(leases, fleetNames, planned);
    }

    /** What this worker holds now. No I/O; nothing in it is past its term. */
    public List<Unit> held() {
        return fleetMember.held();
    }

    /** How the fleet is, as the store shows it. */
    public FleetStatus status() {
        return BlockingCalls.uninterruptibly(leases.runtime(), this::statusAsync);
    }

    /** @see #status() */
    public CompletionStage<FleetStatus> statusAsync() {
        FleetStatusReader reader = new FleetStatusReader(leases, fleetNames);
        return planned ? reader.planned() : reader.loose();
    }

    /**
     * Whether this worker is in the fleet, hears from the store, sees that a worker plans, and has no callback that takes
     * longer than it may, or waits for a thread for so long. No I/O.
     */
    public FleetHealth health() {
        return fleetMember.health();
    }

    public boolean isHealthy() {
        return health().isHealthy();
    }

    /**
     * Hands everything over, as any other move: units go to other workers, {@code onRevoked} is called for each. Done at
     * the close deadline at the latest. Work that has not stopped by then has lost its unit, or loses it when its own
     * deadline has passed: see {@link FleetOptions#closeDeadline}. Idempotent.
     */
    public CompletionStage<Void> closeAsync() {
        return fleetMember.leave();
    }

    /**
     * As {@link #closeAsync}, and waits for the end of it. Inside a callback, handler or listener of this fleet it does not
     * wait, as it would wait for its own return: there it begins to close, and returns.
     */
    @Override
    public void close() {
        if (inside.isEntered()) {
            Futures.whenDone(closeAsync(), (nothing, error) -> {});
            return;
        }
        BlockingCalls.uninterruptibly(leases.runtime(), this::closeAsync);
    }
}
