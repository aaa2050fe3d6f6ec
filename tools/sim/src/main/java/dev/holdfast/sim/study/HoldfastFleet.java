package dev.holdfast.sim.study;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimMachineClock;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Holdfast's own fleet: the real client, pipeline, rules and fleet, with their default options. */
final class HoldfastFleet extends FleetDeployment {
    static final FleetOptions OPTIONS = FleetOptions.defaults().term(TERM);
    private static final String NAME = "study";

    private final boolean hasClock;
    private final MemoryStore store;
    private final Map<Integer, SimProcess> processes = new HashMap<>();
    private int planner = -1;

    HoldfastFleet(long seed, int units, int workers, boolean hasClock) {
        super(seed, units, workers);
        this.hasClock = hasClock;
        this.store = new MemoryStore(new SimEnvironment(process("store", () -> {})));
        create(units);
    }

    /**
     * Creates the first unit through the API and copies its entry for the others: a million calls would add nothing.
     */
    private void create(int units) {
        CompletionStage<Integer> created =
                Fleet.units(open(process("creator", () -> {})), NAME).createAsync(List.of(unit(0)), Attributes.NONE);
        while (!created.toCompletableFuture().isDone()) {
            world().run(world().nowNanos() + ROUND_TRIP.toNanos());
        }
        Entry first = store.scan(EntryScan.of("fleet/" + NAME + "/units", 1))
                .entries()
                .get(0)
                .entry();
        for (int i = 1; i < units; i++) {
            Key key = Key.of(first.key().namespace(), unit(i));
            Entry other = new Entry(
                    key,
                    first.version(),
                    first.state(),
                    first.fence(),
                    first.grants(),
                    first.grant(),
                    first.attributes(),
                    first.createdAt(),
                    first.doneAt());
            store.apply(List.of(Change.insert(other)));
        }
    }

    private static String unit(int number) {
        return "unit-" + number;
    }

    private SimProcess process(String name, Runnable main) {
        SimProcess process = new SimProcess(world(), name, new SimMachineClock(world(), Duration.ZERO), main);
        process.start();
        return process;
    }

    private Leases open(SimProcess process) {
        LeasesOptions options =
                LeasesOptions.builder().holder(process.name()).withoutCleanUp().build();
        return LocalLeases.over(
                new CountingStore(process, store, hasClock, requests()),
                new SimEnvironment(process),
                RuleSet.of(store.traits().step()),
                options);
    }

    @Override
    void start(int worker) {
        census().born(worker);
        SimProcess process = process("worker-" + worker, () -> {});
        processes.put(worker, process);
        CompletionStage<Fleet> joining = Fleet.of(open(process), NAME)
                .worker(process.name())
                .options(OPTIONS)
                .handler(new Work(worker))
                .listener(new FleetListener() {
                    @Override
                    public void onPlanner(boolean is) {
                        planner = is ? worker : planner;
                    }
                })
                .joinAsync();
        Futures.whenDone(joining, (fleet, error) -> {
            if (error != null) {
                throw new IllegalStateException(error);
            }
        });
    }

    @Override
    void kill(int worker) {
        SimProcess process = processes.remove(worker);
        if (process == null) {
            throw new IllegalStateException("no such worker: " + worker);
        }
        process.crash();
        census().died(worker);
    }

    @Override
    int planner() {
        return planner;
    }

    @Override
    boolean isAtRest() {
        return census().isBalanced();
    }

    /** A unit handler that only reports to the census. */
    private final class Work implements UnitHandler {
        private final int worker;

        Work(int worker) {
            this.worker = worker;
        }

        @Override
        public CompletionStage<?> assigned(Unit unit) {
            census().begins(number(unit), worker);
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<?> revoked(Unit unit) {
            census().ends(number(unit), worker);
            return CompletableFuture.completedFuture(true);
        }

        private static int number(Unit unit) {
            return Integer.parseInt(unit.name().substring(unit.name().indexOf('-') + 1));
        }
    }
}
