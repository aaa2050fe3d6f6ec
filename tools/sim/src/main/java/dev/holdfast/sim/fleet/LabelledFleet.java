package dev.holdfast.sim.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.FaultInjector;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A fleet of real workers with labels and capacities, in one run. Its units require and prefer labels. A worker that
 * restarts may have other labels, and requirements change while the fleet runs.
 */
final class LabelledFleet {
    /** Longer than for a fleet without labels: units may have to move twice, first to make room. */
    private static final Duration AT_REST_WITHIN = SimulatedFleet.AT_REST_WITHIN.plusSeconds(12);

    private static final String NAME = "sim";
    private static final List<String> ZONES = List.of("a", "b", "c");
    private static final List<Integer> CAPACITIES = List.of(3, 8, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final Simulation simulation;
    private final boolean spreads;
    private final LabelledUnits check;
    private final List<SimProcess> workers;
    private final SimClient outsider;
    private final int units;
    private final Map<String, Integer> capacities = new HashMap<>();
    private final FaultInjector injector;

    /** @param spreads whether units are spread over zones */
    LabelledFleet(Simulation simulation, boolean spreads, int workers, int units) {
        this.simulation = simulation;
        this.spreads = spreads;
        this.units = units;
        this.check = new LabelledUnits(simulation.store(), "fleet/" + NAME + "/units", spreads);
        this.workers = simulation.processes("worker", workers, this::join);
        this.workers.forEach(
                worker -> capacities.put(worker.name(), simulation.world().pick(CAPACITIES)));
        simulation.checks().add(check);
        simulation.checks().add(new UnitExclusion(null));
        this.outsider = simulation.outsider("outsider");
        this.injector = simulation.chaos();
        for (int unit = 0; unit < units; unit++) {
            Fleet.units(outsider.leases(), NAME).createAsync(List.of("unit-" + unit), attributes());
        }
    }

    private Attributes attributes() {
        Attributes attributes =
                Attributes.of("group", "g" + simulation.world().random().nextInt(2));
        if (simulation.world().chance(0.4)) {
            attributes = attributes.with("require", zones());
        }
        return simulation.world().chance(0.4) ? attributes.with("prefer", zones()) : attributes;
    }

    /** One zone, or one of two. */
    private AttributeValue zones() {
        String zone = simulation.world().pick(ZONES);
        AttributeValue value = simulation.world().chance(0.5)
                ? AttributeValue.of(zone)
                : new AttributeValue.ListOf(List.of(
                        AttributeValue.of(zone),
                        AttributeValue.of(simulation.world().pick(ZONES))));
        return new AttributeValue.MapOf(Map.of("zone", value));
    }

    private void join(SimClient client) {
        String worker = client.process().name();
        Map<String, String> labels = new TreeMap<>();
        if (simulation.world().chance(0.9)) {
            labels.put("zone", simulation.world().pick(ZONES));
        }
        int capacity = capacities.getOrDefault(worker, Integer.MAX_VALUE);
        check.started(client.process(), labels, capacity);
        AssignmentStrategy strategy = spreads ? AssignmentStrategy.spreadOver("zone") : AssignmentStrategy.byCount();
        FleetBuilder builder = Fleet.of(simulation.variant().leases(client.leases()), NAME)
                .worker(worker)
                .options(SimulatedFleet.OPTIONS)
                .maxUnits(capacity)
                .load(simulation.world().random()::nextDouble)
                .strategy(simulation.variant().labelledStrategy(strategy))
                .handler(new SimulatedUnitHandler(client));
        simulation.variant().labels(labels).forEach(builder::label);
        Futures.whenDone(builder.joinAsync(), (fleet, error) -> {
            if (fleet == null) {
                client.afterUpTo(Duration.ofMillis(500), () -> join(client));
            }
        });
    }

    /** Changes the requirement of a random unit, now and again after pauses, for as long as {@code time}. */
    void changeRequirements(Duration time) {
        long untilNanos = simulation.world().nowNanos() + time.toNanos();
        changeAfterPause(untilNanos);
    }

    private void changeAfterPause(long untilNanos) {
        simulation.world().afterBetween(Duration.ofMillis(100), Duration.ofSeconds(3), () -> {
            if (simulation.world().nowNanos() < untilNanos && units > 0) {
                String unit = "unit-" + simulation.world().random().nextInt(units);
                AttributePatch patch = simulation.world().chance(0.5)
                        ? AttributePatch.putting("require", zones())
                        : AttributePatch.removing("require");
                Fleet.units(outsider.leases(), NAME).forceUpdateAsync(unit, patch);
                changeAfterPause(untilNanos);
            }
        });
    }

    /** Makes about half of the workers ignore labels as planner. After {@code time} all are updated and restarted. */
    void useOldPlanners(Duration time) {
        Set<String> old = new HashSet<>();
        workers.stream()
                .map(SimProcess::name)
                .filter(worker -> simulation.world().chance(0.5))
                .forEach(old::add);
        simulation.setPorts((process, port) -> old.contains(process.name()) ? new LabelBlindPort(port) : port);
        simulation.world().after(time.toNanos(), () -> {
            workers.stream()
                    .filter(worker -> old.contains(worker.name()))
                    .forEach(worker ->
                            injector.crash(worker, Duration.ofMillis(200).toNanos()));
            old.clear();
        });
    }

    void start() {
        workers.forEach(SimProcess::start);
        simulation.pass(Duration.ofSeconds(3));
    }

    /** Unleashes faults for {@code stormy}, heals them, and checks that the fleet comes to rest. */
    void playOut(Duration stormy) {
        long healNanos = simulation.world().nowNanos() + stormy.toNanos();
        injector.unleash(healNanos);
        injector.healAt(healNanos);
        simulation.watch(stormy.plus(AT_REST_WITHIN));
        simulation.pass(stormy.plus(AT_REST_WITHIN));
        simulation.end();
    }
}
