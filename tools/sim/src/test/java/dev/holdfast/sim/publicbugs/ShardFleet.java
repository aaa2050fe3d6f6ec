package dev.holdfast.sim.publicbugs;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Entry;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A fleet of real workers that consume shards. It knows which shards have a worker that can work. */
final class ShardFleet {
    static final Duration TERM = Duration.ofSeconds(2);

    private static final String NAME = "shards";
    private static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(TERM)
            .poll(Duration.ofMillis(400))
            .quiet(Duration.ofSeconds(1))
            .revokeDeadline(Duration.ofMillis(900))
            .backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

    private final Simulation simulation;
    private final SimClient operator;
    private final Map<String, Consumption> consumers = new HashMap<>();
    private Consumer<SimProcess> onRevoked = process -> {};

    ShardFleet(Simulation simulation) {
        this.simulation = simulation;
        this.operator = simulation.outsider("operator");
    }

    /** The consumption of a shard by one life of a process. */
    private record Consumption(Unit unit, SimProcess process, long life) {
        boolean isGoingOn() {
            return process.life() == life && unit.isHeld();
        }
    }

    void create(List<String> shards) {
        Fleet.units(operator.leases(), NAME).createAsync(shards, Attributes.NONE);
    }

    FleetControl control() {
        return Fleet.control(operator.leases(), NAME);
    }

    /** Runs {@code action} with the process whenever a worker must stop the consumption of a shard. */
    void onRevoked(Consumer<SimProcess> action) {
        onRevoked = action;
    }

    SimProcess worker(String name) {
        return simulation.process(name, simulation.wrongClock(), true, this::join);
    }

    private void join(SimClient client) {
        Futures.whenDone(
                Fleet.of(client.leases(), NAME)
                        .worker(client.process().name())
                        .options(OPTIONS)
                        .handler(new ShardHandler(client.process()))
                        .joinAsync(),
                (fleet, error) -> {
                    if (error != null) {
                        client.after(Duration.ofMillis(300), () -> join(client));
                    }
                });
    }

    /** The name of the worker that plans, according to the store. */
    String planner() {
        Entry entry = simulation.store().current(Key.of("fleet/" + NAME, "planner"));
        return entry == null || entry.state() != LeaseState.HELD || entry.grant() == null
                ? ""
                : entry.grant().holder().name();
    }

    /** The names of the workers that consume these shards now. */
    List<String> workersOf(List<String> shards) {
        return shards.stream()
                .map(consumers::get)
                .filter(consumption -> consumption != null && consumption.isGoingOn())
                .map(consumption -> consumption.process().name())
                .distinct()
                .toList();
    }

    void requireWork(List<String> shards) {
        TreeSet<String> silent = new TreeSet<>(shards);
        silent.removeIf(
                shard -> consumers.containsKey(shard) && consumers.get(shard).isGoingOn());
        ScenarioRuns.require(simulation, silent.isEmpty(), "6, every shard is worked on", "silent: " + silent);
    }

    /** A handler that begins and stops at once. */
    private final class ShardHandler implements UnitHandler {
        private final SimProcess process;

        ShardHandler(SimProcess process) {
            this.process = process;
        }

        @Override
        public CompletionStage<?> assigned(Unit unit) {
            consumers.put(unit.name(), new Consumption(unit, process, process.life()));
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<?> revoked(Unit unit) {
            consumers.computeIfPresent(
                    unit.name(), (name, consumption) -> consumption.process() == process ? null : consumption);
            onRevoked.accept(process);
            return CompletableFuture.completedFuture(true);
        }
    }
}
