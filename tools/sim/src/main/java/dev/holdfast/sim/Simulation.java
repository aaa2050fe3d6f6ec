package dev.holdfast.sim;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.LeasesOptions;
import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.sim.check.GrantHistoryTruth;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.InvariantCheckers;
import dev.holdfast.sim.check.UndeliveredGrants;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.EventTally;
import dev.holdfast.sim.world.ExtraFaults;
import dev.holdfast.sim.world.FaultInjector;
import dev.holdfast.sim.world.FaultPlan;
import dev.holdfast.sim.world.HistoryColumn;
import dev.holdfast.sim.world.OlderClientPort;
import dev.holdfast.sim.world.RunRecorder;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimMachineClock;
import dev.holdfast.sim.world.SimNetwork;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One simulated run: a world made from a seed, a scenario that runs in it, and the checkers that watch it. */
public final class Simulation {
    private static final Duration TICK = Duration.ofMillis(100);
    /** How far the store's clock may jump. Nearly zero by default, so that the margin hides no bug. */
    private static final Duration NO_STEP = Duration.ofMillis(1);

    private final SimWorld world;
    private final SimulatedVariant variant;
    private final EventTally eventTally = new EventTally();
    private final InvariantCheckers checks;
    private final SimStore store;
    private final SimNetwork network;
    private final List<SimProcess> processes = new ArrayList<>();
    private final Set<SimProcess> older = new HashSet<>();
    private final SimMachineClock storeClock;
    private Duration step = NO_STEP;
    private BiFunction<SimProcess, AsyncStore, AsyncStore> ports = (process, port) -> port;
    private boolean windingDown;
    private long ids;

    private Simulation(long seed, SimulatedVariant variant, RunRecorder recorder) {
        this.world = new SimWorld(seed, recorder);
        this.variant = variant;
        this.checks = new InvariantCheckers(world);
        this.storeClock = clock(Duration.ZERO);
        SimProcess storeMachine = new SimProcess(world, "store", storeClock, () -> {});
        boolean hasClock = world.chance(0.6);
        boolean keepsFloor = world.chance(0.5);
        MemoryStore memory = new MemoryStore(new SimEnvironment(storeMachine), 2, keepsFloor);
        this.store = new SimStore(world, variant.store(new HistoryColumn(memory)), hasClock, this::witness);
        if (variant.checksHistories()) {
            checks.add(new GrantHistoryTruth());
        }
        this.network = new SimNetwork(world, store, eventTally);
    }

    /** Runs one seed of a scenario. */
    public static Outcome run(long seed, SimulationScenario scenario, SimulatedVariant variant) {
        Simulation simulation = new Simulation(seed, variant, RunRecorder.NONE);
        scenario.play(simulation);
        return new Outcome(simulation.eventTally, simulation.checks.violation());
    }

    /** Runs a scenario with the faults that {@code plan} chooses. The seed sets everything else. */
    public static Outcome run(long seed, SimulationScenario scenario, SimulatedVariant variant, FaultPlan plan) {
        Simulation simulation = new Simulation(seed, variant, RunRecorder.NONE);
        simulation.network.setPlan(plan);
        scenario.play(simulation);
        return new Outcome(simulation.eventTally, simulation.checks.violation());
    }

    /**
     * Runs one seed of a scenario and records it. It is the same run as without a recorder.
     *
     * @param observer receives the events that checkers receive
     */
    public static Outcome run(
            long seed,
            SimulationScenario scenario,
            SimulatedVariant variant,
            RunRecorder recorder,
            InvariantChecker observer) {
        Simulation simulation = new Simulation(seed, variant, recorder);
        simulation.checks.add(observer);
        scenario.play(simulation);
        return new Outcome(simulation.eventTally, simulation.checks.violation());
    }

    /** The result of a run. */
    public record Outcome(EventTally tally, InvariantCheckers.@Nullable InvariantViolation violation) {}

    /** Adds faults that only some scenarios have. */
    public void addFaults(ExtraFaults faults) {
        network.setFaults(faults);
    }

    /** Lets some processes use the store as other versions of the code do. Call it before a process starts. */
    public void setPorts(BiFunction<SimProcess, AsyncStore, AsyncStore> newPorts) {
        ports = newPorts;
    }

    /** Lets the store's clock jump by up to {@code bound}, which all clients know. Call it before a process starts. */
    public SimMachineClock unsteadyStoreClock(Duration bound) {
        step = bound;
        return storeClock;
    }

    /** A machine clock that is off by {@code wallOffset}. */
    public SimMachineClock clock(Duration wallOffset) {
        return new SimMachineClock(world, wallOffset);
    }

    /** A machine clock that is wrong by up to an hour. */
    public SimMachineClock wrongClock() {
        return clock(Duration.ofSeconds(world.random().nextInt(7200) - 3600));
    }

    /** Adds processes with wrong clocks, which renew in the background, named {@code name-0} and so on. */
    public List<SimProcess> processes(String name, int count, Consumer<SimClient> main) {
        return IntStream.range(0, count)
                .mapToObj(i -> process(name + "-" + i, wrongClock(), true, main))
                .toList();
    }

    /** Adds a process, which runs {@code main} with a new client each time it starts. */
    public SimProcess process(String name, SimMachineClock clock, boolean background, Consumer<SimClient> main) {
        SimProcess[] self = new SimProcess[1];
        self[0] = new SimProcess(world, name, clock, () -> main.accept(client(self[0], background)));
        processes.add(self[0]);
        return self[0];
    }

    /** Makes a process run the code from before histories. Call it before the process starts. */
    public void runOlderCode(SimProcess process) {
        older.add(process);
        checks.report(checker -> checker.olderCode(process));
    }

    private SimClient client(SimProcess process, boolean background) {
        HostEnvironment environment = variant.runtime(process);
        boolean isOlder = older.contains(process);
        AsyncStore current = ports.apply(process, variant.port(store.client(process, network)));
        AsyncStore port = isOlder ? new OlderClientPort(current) : current;
        LeasesOptions.Builder options = LeasesOptions.builder()
                .holder(process.name())
                .operationTimeout(SimClient.OPERATION_TIMEOUT)
                .settleTimeout(UndeliveredGrants.SETTLE_TIMEOUT)
                .cacheSize(256)
                .listener(new LeaseListener() {
                    @Override
                    public void onRenewed(Key key, long leftNanos) {
                        checks.report(InvariantChecker::renewed);
                    }
                });
        if (!background) {
            options.withoutThreads();
        }
        RuleSet rules = isOlder ? RuleSet.of(new StoreTraits(2, 1, step), 0) : variant.rules(step);
        return new SimClient(this, process, LocalLeases.over(port, environment, rules, options.build()), background);
    }

    /**
     * Runs the processes with faults for {@code stormy}, then heals all faults and runs on for {@code calm}.
     *
     * @param keys the keys that must be available, or done, within three quarters of the calm
     */
    public void playOut(Duration stormy, Duration calm, List<Key> keys) {
        playOut(stormy, calm, keys, FaultInjector::unleash);
    }

    /**
     * Runs the processes with the scenario's own faults, which start immediately and end at the time passed to them.
     */
    public void playOut(Duration stormy, Duration calm, List<Key> keys, ObjLongConsumer<FaultInjector> faults) {
        FaultInjector injector = chaos();
        long healNanos = world.nowNanos() + stormy.toNanos();
        processes.forEach(SimProcess::start);
        faults.accept(injector, healNanos);
        tick(healNanos + calm.toNanos());
        world.run(healNanos);
        windingDown = true;
        checks.report(InvariantChecker::healed);
        SimClient prober = outsider("prober");
        // The calm is long enough for all leases to end or expire; then every key is available.
        keys.forEach(key -> prober.probe(key, calm.multipliedBy(3).dividedBy(4)));
        world.run(healNanos + calm.toNanos());
        checks.report(InvariantChecker::end);
    }

    /** A client outside the scenario's processes: only network faults affect it. */
    public SimClient outsider(String name) {
        return client(new SimProcess(world, name, clock(Duration.ZERO), () -> {}), true);
    }

    /** A fault injector for the processes added so far and later. */
    public FaultInjector chaos() {
        return new FaultInjector(world, network, store, processes, this::struck);
    }

    /** Calls the checkers at regular intervals for {@code time} from now on. */
    public void watch(Duration time) {
        tick(world.nowNanos() + time.toNanos());
    }

    /** Lets the checkers make their final checks. */
    public void end() {
        checks.report(InvariantChecker::end);
    }

    public SimulatedVariant variant() {
        return variant;
    }

    private void struck(String fault) {
        eventTally.fault();
        checks.report(checker -> checker.struck(fault));
    }

    public void pass(Duration time) {
        world.run(world.nowNanos() + time.toNanos());
    }

    private void tick(long untilNanos) {
        checks.report(InvariantChecker::tick);
        if (world.nowNanos() < untilNanos) {
            world.after(TICK.toNanos(), () -> tick(untilNanos));
        }
    }

    long nextId() {
        return ++ids;
    }

    /** Whether faults are over, so that processes should finish their work and start nothing new. */
    public boolean isWindingDown() {
        return windingDown;
    }

    private void witness(@Nullable SimProcess writer, Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null
                && after.state() == LeaseState.HELD
                && (before == null || after.grants() != before.grants())) {
            eventTally.grant();
            if (before != null && before.state() == LeaseState.HELD) {
                eventTally.takeover();
            }
        }
        checks.report(checker -> checker.writing(writer));
        checks.report(checker -> checker.changed(key, before, after));
    }

    public SimWorld world() {
        return world;
    }

    public EventTally tally() {
        return eventTally;
    }

    public InvariantCheckers checks() {
        return checks;
    }

    public SimStore store() {
        return store;
    }
}
