package dev.holdfast.sim;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.client.LocalLeases;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.sim.check.InvariantCheckers;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.UndeliveredGrants;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.EventTally;
import dev.holdfast.sim.world.ExtraFaults;
import dev.holdfast.sim.world.FaultInjector;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimMachineClock;
import dev.holdfast.sim.world.SimNetwork;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One simulated run: a world made from a seed, a scenario that runs in it, and the checkers that watch it. */
public final class Simulation {
    private static final Duration TICK = Duration.ofMillis(100);
    /** How far the store's clock may jump. Nearly zero by default, so that the margin hides no bug. */
    private static final Duration NO_STEP = Duration.ofMillis(1);

    private final SimWorld simWorld;
    private final SimulatedVariant simulatedVariant;
    private final EventTally eventTally = new EventTally();
    private final InvariantCheckers checkerSet;
    private final SimStore store;
    private final SimNetwork simNetwork;
    private final List<SimProcess> processes = new ArrayList<>();
    private final SimMachineClock storeClock;
    private Duration step = NO_STEP;
    private boolean windingDown;
    private long ids;

    private Simulation(long seed, SimulatedVariant simulatedVariant) {
        this.simWorld = new SimWorld(seed);
        this.simulatedVariant = simulatedVariant;
        this.checkerSet = new InvariantCheckers(simWorld);
        this.storeClock = clock(Duration.ZERO);
        SimProcess storeMachine = new SimProcess(simWorld, "store", storeClock, () -> {});
        boolean hasClock = simWorld.chance(0.6);
        boolean keepsFloor = simWorld.chance(0.5);
        MemoryStore memory = new MemoryStore(new SimEnvironment(storeMachine), 2, keepsFloor);
        this.store = new SimStore(simWorld, simulatedVariant.store(memory), hasClock, this::witness);
        this.simNetwork = new SimNetwork(simWorld, store, eventTally);
    }

    /** Runs one seed of a scenario. */
    public static Outcome run(long seed, SimulationScenario scenario, SimulatedVariant simulatedVariant) {
        Simulation simulation = new Simulation(seed, simulatedVariant);
        scenario.play(simulation);
        return new Outcome(simulation.eventTally, simulation.checkerSet.violation());
    }

    /** The result of a run. */
    public record Outcome(EventTally tally, InvariantCheckers.@Nullable InvariantViolation violation) {}

    /** Adds faults that only some scenarios have. */
    public void addFaults(ExtraFaults faults) {
        simNetwork.setFaults(faults);
    }

    /** Lets the store's clock jump by up to {@code bound}, which all clients know. Call it before a process starts. */
    public SimMachineClock unsteadyStoreClock(Duration bound) {
        step = bound;
        return storeClock;
    }

    /** A machine clock that is off by {@code wallOffset}. */
    public SimMachineClock clock(Duration wallOffset) {
        return new SimMachineClock(simWorld, wallOffset);
    }

    /** A machine clock that is wrong by up to an hour. */
    public SimMachineClock wrongClock() {
        return clock(Duration.ofSeconds(simWorld.random().nextInt(7200) - 3600));
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
        self[0] = new SimProcess(simWorld, name, clock, () -> main.accept(client(self[0], background)));
        processes.add(self[0]);
        return self[0];
    }

    private SimClient client(SimProcess process, boolean background) {
        HostEnvironment hostEnvironment = simulatedVariant.runtime(process);
        AsyncStore port = simulatedVariant.port(store.client(process, simNetwork));
        LeasesOptions.Builder options = LeasesOptions.builder()
                .holder(process.name())
                .operationTimeout(SimClient.OPERATION_TIMEOUT)
                .settleTimeout(UndeliveredGrants.SETTLE_TIMEOUT)
                .cacheSize(256)
                .listener(new LeaseListener() {
                    @Override
                    public void onRenewed(Key key, long leftNanos) {
                        checkerSet.report(InvariantChecker::renewed);
                    }
                });
        if (!background) {
            options.withoutThreads();
        }
        RuleSet rules = simulatedVariant.rules(step);
        return new SimClient(
                this, process, LocalLeases.over(port, hostEnvironment, rules, options.build()), background);
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
        FaultInjector faultInjector = chaos();
        long healNanos = simWorld.nowNanos() + stormy.toNanos();
        processes.forEach(SimProcess::start);
        faults.accept(faultInjector, healNanos);
        tick(healNanos + calm.toNanos());
        simWorld.run(healNanos);
        windingDown = true;
        checkerSet.report(InvariantChecker::healed);
        SimClient prober = outsider("prober");
        // The calm is long enough for all leases to end or expire; then every key is available.
        keys.forEach(key -> prober.probe(key, calm.multipliedBy(3).dividedBy(4)));
        simWorld.run(healNanos + calm.toNanos());
        checkerSet.report(InvariantChecker::end);
    }

    /** A client outside the scenario's processes: only network faults affect it. */
    public SimClient outsider(String name) {
        return client(new SimProcess(simWorld, name, clock(Duration.ZERO), () -> {}), true);
    }

    /** A fault injector for the processes added so far and later. */
    public FaultInjector chaos() {
        return new FaultInjector(simWorld, simNetwork, store, processes, this::struck);
    }

    /** Calls the checkers at regular intervals for {@code time} from now on. */
    public void watch(Duration time) {
        tick(simWorld.nowNanos() + time.toNanos());
    }

    /** Lets the checkers make their final checks. */
    public void end() {
        checkerSet.report(InvariantChecker::end);
    }

    public SimulatedVariant variant() {
        return simulatedVariant;
    }

    private void struck(String fault) {
        eventTally.fault();
        checkerSet.report(checker -> checker.struck(fault));
    }

    public void pass(Duration time) {
        simWorld.run(simWorld.nowNanos() + time.toNanos());
    }

    private void tick(long untilNanos) {
        checkerSet.report(InvariantChecker::tick);
        if (simWorld.nowNanos() < untilNanos) {
            simWorld.after(TICK.toNanos(), () -> tick(untilNanos));
        }
    }

    long nextId() {
        return ++ids;
    }

    /** Whether faults are over, so that processes should finish their work and start nothing new. */
    public boolean isWindingDown() {
        return windingDown;
    }

    private void witness(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null
                && after.state() == LeaseState.HELD
                && (before == null || after.grants() != before.grants())) {
            eventTally.grant();
            if (before != null && before.state() == LeaseState.HELD) {
                eventTally.takeover();
            }
        }
        checkerSet.report(checker -> checker.changed(key, before, after));
    }

    public SimWorld world() {
        return simWorld;
    }

    public EventTally tally() {
        return eventTally;
    }

    public InvariantCheckers checks() {
        return checkerSet;
    }

    public SimStore store() {
        return store;
    }
}
