package dev.holdfast.sim.fleet;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.world.FaultInjector;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.Entry;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A fleet of real workers in one run. It starts the workers, creates units, runs with faults for a while, heals them,
 * and has the checkers verify that the fleet comes to rest.
 */
final class SimulatedFleet {
    static final Duration TERM = Duration.ofSeconds(2);
    static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(TERM)
            .poll(Duration.ofMillis(400))
            .quiet(Duration.ofSeconds(1))
            .revokeDeadline(Duration.ofMillis(900))
            .backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

    /**
     * The longest time after faults have healed until every unit has a worker. Workers that restart under their old
     * names wait for their old terms to end. On a store without a clock, a planner that was not on standby must then
     * watch the others for a whole term. After that, some polls pass to plan, to read the plan and to begin.
     */
    static final Duration AT_WORK_WITHIN = TERM.multipliedBy(3).plusSeconds(3);

    /** Before units are moved, the fleet must also be quiet, for at most six times the quiet time. */
    static final Duration AT_REST_WITHIN = AT_WORK_WITHIN.plusSeconds(7);

    private static final String NAME = "sim";

    private final Simulation simulation;
    private final boolean planned;
    private final List<SimProcess> workers;
    private final Map<String, Fleet> fleets = new HashMap<>();
    private final FaultInjector injector;
    private final FleetAtRest atRest;
    private final SimClient outsider;
    private final StoredOrders orders;
    private final FleetOptions options;
    private final List<String> units;
    /** Workers that run an older version when they next start. */
    private final Set<String> old = new HashSet<>();

    SimulatedFleet(Simulation simulation, boolean planned, int workers, int units, FleetOptions options) {
        this.simulation = simulation;
        this.planned = planned;
        this.options = options;
        this.orders = new StoredOrders(simulation.store(), NAME);
        simulation.setPorts((process, port) -> old.contains(process.name()) ? new OldWorkerPort(port) : port);
        this.injector = simulation.chaos();
        this.workers = simulation.processes("worker", workers, this::join);
        this.atRest = new FleetAtRest(this.workers, this::open, planned, orders);
        simulation.checks().add(atRest);
        simulation.checks().add(new OrdersAtRest(this.workers, orders));
        // The former worker of a stolen unit stops at its next renewal or, if that fails, at the end of its term.
        simulation.checks().add(new UnitExclusion(planned ? null : TERM));
        this.outsider = simulation.outsider("outsider");
        this.units = IntStream.range(0, units).mapToObj(i -> "unit-" + i).toList();
        create(this.units);
    }

    void create(List<String> units) {
        Fleet.units(outsider.leases(), NAME).createAsync(units, Attributes.NONE);
    }

    void delete(String unit) {
        Fleet.units(outsider.leases(), NAME).deleteAsync(unit);
    }

    FleetControl control() {
        return Fleet.control(simulation.variant().operator(outsider.leases()), NAME);
    }

    StoredOrders orders() {
        return orders;
    }

    /** The names of the units that were created at the start. */
    List<String> units() {
        return units;
    }

    void check(InvariantChecker checker) {
        simulation.checks().add(checker);
    }

    /** Makes a worker run the older version, or the new one, from its next start on. */
    void setOld(SimProcess worker, boolean isOld) {
        if (isOld) {
            old.add(worker.name());
        } else {
            old.remove(worker.name());
        }
    }

    private void join(SimClient client) {
        fleets.remove(client.process().name());
        FleetBuilder fleetOf = Fleet.of(simulation.variant().leases(client.leases()), NAME)
                .worker(client.process().name())
                .options(simulation.variant().options(options))
                .strategy(simulation.variant().strategy())
                .handler(new SimulatedUnitHandler(client));
        Futures.whenDone(
                (planned ? fleetOf : fleetOf.withoutPlanner()).joinAsync(), (fleet, error) -> joined(client, fleet));
    }

    private void joined(SimClient client, @Nullable Fleet fleet) {
        if (fleet == null) {
            client.afterUpTo(Duration.ofMillis(500), () -> join(client));
        } else {
            fleets.put(client.process().name(), fleet);
        }
    }

    SimWorld world() {
        return simulation.world();
    }

    FaultInjector chaos() {
        return injector;
    }

    List<SimProcess> workers() {
        return workers;
    }

    /** Runs {@code action} now, and again after random pauses of at most four seconds, for as long as {@code time}. */
    void repeat(Duration time, Duration leastPause, Runnable action) {
        repeatUntil(world().nowNanos() + time.toNanos(), leastPause, action);
    }

    private void repeatUntil(long untilNanos, Duration leastPause, Runnable action) {
        action.run();
        world().afterBetween(leastPause, Duration.ofSeconds(4), () -> {
            if (world().nowNanos() < untilNanos) {
                repeatUntil(untilNanos, leastPause, action);
            }
        });
    }

    /** The process that is the planner now, according to the store. */
    Optional<SimProcess> planner() {
        Entry entry = simulation.store().current(Key.of("fleet/" + NAME, "planner"));
        String holder = entry == null || entry.state() != LeaseState.HELD || entry.grant() == null
                ? ""
                : entry.grant().holder().name();
        return workers.stream().filter(worker -> worker.name().equals(holder)).findFirst();
    }

    /** Restarts a worker like a deployment: it leaves the fleet, its process ends, and a new one starts. */
    void restart(SimProcess worker, Runnable then) {
        Fleet fleet = fleets.get(worker.name());
        if (fleet == null || !worker.isUp()) {
            then.run();
            return;
        }
        Futures.whenDone(fleet.closeAsync(), (nothing, error) -> {
            injector.crash(worker, Duration.ofMillis(200).toNanos());
            then.run();
        });
    }

    /** Starts all workers, without faults. */
    void start() {
        workers.forEach(SimProcess::start);
        simulation.pass(Duration.ofSeconds(3));
    }

    /** Heals all faults after {@code stormy}, and checks that the fleet comes to rest. */
    void playOut(Duration stormy) {
        long healNanos = world().nowNanos() + stormy.toNanos();
        injector.healAt(healNanos);
        simulation.watch(stormy.plus(AT_REST_WITHIN));
        simulation.pass(stormy.plus(AT_WORK_WITHIN));
        if (simulation.checks().violation() == null) {
            atRest.requireProgress();
        }
        simulation.pass(AT_REST_WITHIN.minus(AT_WORK_WITHIN));
        simulation.end();
    }

    private Set<String> open() {
        Set<String> paused = orders.paused();
        return simulation.store().all("fleet/" + NAME + "/units").stream()
                .filter(entry -> !paused.contains(entry.key().name()))
                .filter(entry -> entry.state() != LeaseState.DONE)
                .filter(entry -> entry.attributes().get("~unit").isPresent())
                .map(entry -> entry.key().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
