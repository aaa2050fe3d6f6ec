package dev.holdfast.fleet;

import dev.holdfast.Leases;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.status.FleetMapReader;
import dev.holdfast.fleet.internal.status.FleetStatusReader;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.fleet.internal.worker.FleetParticipant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One worker of a fleet. A fleet spreads units of work over its live workers:
 *
 * <pre>{@code
 * try (Fleet fleet = Fleet.of(leases, "orders")
 *         .worker("host-17")
 *         .onAssigned(unit -> processor.start(unit.name(), unit.fence(), unit.attributes()))
 *         .onRevoked(unit -> processor.stopAndCheckpoint(unit))
 *         .join()) {
 *     fleet.units().create("shard-0", "shard-1");
 *     ...
 * }
 * }</pre>
 *
 * <p>Each worker renews a single lease, however many units it has. One worker is the planner and assigns units for all.
 * The fleet elects the planner, and elects another when that one dies. Units are handed over cooperatively: the current
 * worker is asked to stop, it stops, and then the next one starts. The units of a worker that dies go to other workers
 * when its term is over.
 *
 * <p>Thread-safe. Close it before its client.
 */
public final class Fleet implements AutoCloseable {
    private final WorkerClient client;
    private final FleetParticipant participant;
    private final WorkerStepLoop stepLoop;

    Fleet(WorkerClient client, FleetParticipant participant, WorkerStepLoop stepLoop) {
        this.client = client;
        this.participant = participant;
        this.stepLoop = stepLoop;
    }

    /** Returns a builder for a worker of this fleet. Set its callbacks, then {@link FleetBuilder#join join}. */
    public static FleetBuilder of(Leases leases, String fleet) {
        return new FleetBuilder(leases, FleetKeyLayout.of(fleet));
    }

    /** Returns the units of a fleet, for a process that is not one of its workers. */
    public static Units units(Leases leases, String fleet) {
        return new Units(leases, FleetKeyLayout.of(fleet));
    }

    /** Returns the orders of operators to a fleet, for a process that is not one of its workers. */
    public static FleetControl control(Leases leases, String fleet) {
        return new FleetControl(leases, FleetKeyLayout.of(fleet));
    }

    /** Reads the status of a fleet, for a process that is not one of its workers. */
    public static FleetStatus status(Leases leases, String fleet) {
        return WorkerClient.await(leases, () -> statusAsync(leases, fleet));
    }

    /** @see #status(Leases, String) */
    public static CompletionStage<FleetStatus> statusAsync(Leases leases, String fleet) {
        return new FleetStatusReader(leases, FleetKeyLayout.of(fleet)).read();
    }

    /** Reads the status of a fleet and the place of each of its units. It lists all units. */
    public static CompletionStage<FleetMap> mapAsync(Leases leases, String fleet) {
        return new FleetMapReader(leases, FleetKeyLayout.of(fleet)).read();
    }

    /** Reads the status of a fleet and these units again; the other units are as in {@code before}. */
    public static CompletionStage<FleetMap> mapAsync(Leases leases, FleetMap before, Collection<String> units) {
        return new FleetMapReader(leases, FleetKeyLayout.of(before.status().fleet())).again(before, units);
    }

    /**
     * Returns the units of a fleet without a planner, for a process that is not one of its workers.
     *
     * @param namespace the namespace of the units: every key in it is a unit; may be empty
     */
    public static Units unitsWithoutPlanner(Leases leases, String fleet, String namespace) {
        return new Units(leases, FleetKeyLayout.withoutPlanner(fleet, namespace));
    }

    /**
     * Reads the status of a fleet without a planner. Its workers are the holders of its units, including workers of
     * other tools.
     *
     * @param namespace the namespace of the units: every key in it is a unit; may be empty
     */
    public static FleetStatus statusWithoutPlanner(Leases leases, String fleet, String namespace) {
        FleetStatusReader reader = new FleetStatusReader(leases, FleetKeyLayout.withoutPlanner(fleet, namespace));
        return WorkerClient.await(leases, reader::read);
    }

    public String name() {
        return client.layout().fleet();
    }

    public String worker() {
        return client.worker();
    }

    public Units units() {
        return new Units(client.leases(), client.layout());
    }

    /**
     * Returns the orders of operators to this fleet.
     *
     * @throws UnsupportedOperationException if the fleet runs without a planner
     */
    public FleetControl control() {
        return new FleetControl(client.leases(), client.layout());
    }

    /** Returns the units that this worker holds now, without expired ones. No I/O. */
    public List<Unit> held() {
        return participant.held();
    }

    /** Reads the status of the fleet from the store. */
    public FleetStatus status() {
        return WorkerClient.await(client.leases(), this::statusAsync);
    }

    /** @see #status() */
    public CompletionStage<FleetStatus> statusAsync() {
        return new FleetStatusReader(client.leases(), client.layout()).read();
    }

    /**
     * Returns whether this worker is healthy. It is healthy if it has joined, the store responds to it, and a planner
     * is planning. In addition, no callback may run, or wait for a thread, for longer than allowed. No I/O.
     */
    public FleetHealth health() {
        return participant.health();
    }

    public boolean isHealthy() {
        return health().isHealthy();
    }

    /**
     * Leaves the fleet and hands over all units, like any other move: {@code onRevoked} is called for each one. The
     * stage completes at the close deadline at the latest. Work that has not stopped by then has lost its unit, or
     * loses it at its own deadline: see {@link FleetOptions#closeDeadline}. Idempotent.
     */
    public CompletionStage<Void> closeAsync() {
        return participant.leave();
    }

    /**
     * Calls {@link #closeAsync} and waits until it completes. In a callback, handler or listener of this fleet it does
     * not wait, because it would wait for its own return. There it starts to close and returns.
     */
    @Override
    public void close() {
        if (stepLoop.isInside()) {
            stepLoop.call(this::closeAsync, (nothing, error) -> {});
            return;
        }
        WorkerClient.await(client.leases(), this::closeAsync);
    }
}
