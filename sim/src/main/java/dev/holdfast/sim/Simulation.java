package dev.holdfast.sim;

import dev.holdfast.LeaseListener;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.client.LocalLeases;
import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.internal.memory.MemoryStore;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.sim.check.Checker;
import dev.holdfast.sim.check.Checks;
import dev.holdfast.sim.check.UndeliveredGrants;
import dev.holdfast.sim.scenario.Scenario;
import dev.holdfast.sim.world.Chaos;
import dev.holdfast.sim.world.ExtraFaults;
import dev.holdfast.sim.world.MachineClock;
import dev.holdfast.sim.world.Network;
import dev.holdfast.sim.world.SimPort;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimRuntime;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.sim.world.Tally;
import dev.holdfast.sim.world.World;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** One run: a world made from a seed, a scenario in it, and the checkers around it. */
public final class Simulation {
    private static final Duration TICK = Duration.ofMillis(100);
    /** How far the store's clock may jump; mostly it does not, so that nothing hides behind the margin. */
    private static final Duration NO_STEP = Duration.ofMillis(1);

    private final World world;
    private final Variant variant;
    private final Tally tally = new Tally();
    private final Checks checks;
    private final SimStore store;
    private final Network network;
    private final List<SimProcess> processes = new ArrayList<>();
    private final MachineClock storeClock;
    private Duration step = NO_STEP;
    private boolean winding;
    private long ids;

    private Simulation(long seed, Variant variant) {
        this.world = new World(seed);
        this.variant = variant;
        this.checks = new Checks(world);
        this.storeClock = clock(Duration.ZERO);
        SimProcess storeMachine = new SimProcess(world, "store", storeClock, () -> {});
        boolean hasClock = world.chance(0.6);
        boolean keepsFloor = world.chance(0.5);
        MemoryStore memory = new MemoryStore(new SimRuntime(storeMachine), 2, keepsFloor);
        this.store = new SimStore(world, variant.store(memory), hasClock, this::witness);
        this.network = new Network(world, store, tally);
    }

    /** Runs one seed of a scenario. */
    public static Outcome run(long seed, Scenario scenario, Variant variant) {
        Simulation simulation = new Simulation(seed, variant);
        scenario.play(simulation);
        return new Outcome(simulation.tally, simulation.checks.violation().orElse(null));
    }

    /** What became of a run. */
    public record Outcome(Tally tally, Checks.@Nullable Violation violation) {}

    /** Adds faults that not every scenario has. */
    public void addFaults(ExtraFaults faults) {
        network.setFaults(faults);
    }

    /** Lets the store's clock jump by up to {@code bound}, which all clients know; before any process starts. */
    public MachineClock unsteadyStoreClock(Duration bound) {
        step = bound;
        return storeClock;
    }

    /** A machine clock that is off by {@code wallOffset}. */
    public MachineClock clock(Duration wallOffset) {
        return new MachineClock(world, wallOffset);
    }

    /** Adds a process, which runs {@code main} with a fresh client each time it starts. */
    public SimProcess process(String name, MachineClock clock, boolean background, Consumer<SimClient> main) {
        SimProcess[] self = new SimProcess[1];
        self[0] = new SimProcess(world, name, clock, () -> main.accept(client(self[0], background)));
        processes.add(self[0]);
        return self[0];
    }

    private SimClient client(SimProcess process, boolean background) {
        Runtime runtime = variant.runtime(process);
        StorePort port = variant.port(new SimPort(process, network, store), store);
        LeasesOptions.Builder options = LeasesOptions.builder()
                .holder(process.name())
                .operationTimeout(SimClient.OPERATION_TIMEOUT)
                .settleTimeout(UndeliveredGrants.SETTLE_TIMEOUT)
                .cacheSize(256)
                .listener(new LeaseListener() {
                    @Override
                    public void onRenewed(Key key, long leftNanos) {
                        checks.tell(checker -> checker.renewed(process));
                    }
                });
        if (!background) {
            options.withoutThreads();
        }
        RuleBook book = variant.rules(step);
        return new SimClient(this, process, LocalLeases.over(port, runtime, book, options.build()), background);
    }

    /**
     * Lets the processes run while things go wrong, then heals, and lets them run on undisturbed.
     *
     * @param keys that must be to be had, or done, within three quarters of the calm
     */
    public void playOut(Duration stormy, Duration calm, List<Key> keys) {
        playOut(stormy, calm, keys, Chaos::unleash);
    }

    /** The same with troubles of the scenario's own, which begin at once and end at the time given to them. */
    public void playOut(Duration stormy, Duration calm, List<Key> keys, ObjLongConsumer<Chaos> troubles) {
        Chaos chaos = chaos();
        long healNanos = world.nowNanos() + stormy.toNanos();
        processes.forEach(SimProcess::start);
        troubles.accept(chaos, healNanos);
        tick(healNanos + calm.toNanos());
        world.run(healNanos);
        winding = true;
        checks.tell(Checker::healed);
        SimClient prober = outsider("prober");
        // The calm is long enough for all holds to end and for silence to be noticed; then every key can be had.
        keys.forEach(key -> prober.probe(key, calm.multipliedBy(3).dividedBy(4)));
        world.run(healNanos + calm.toNanos());
        checks.tell(Checker::end);
    }

    /** A client of nobody in particular, that no fault strikes but the network's. */
    public SimClient outsider(String name) {
        return client(new SimProcess(world, name, clock(Duration.ZERO), () -> {}), true);
    }

    /** Strikes the processes that there are. */
    public Chaos chaos() {
        return new Chaos(world, network, store, processes, this::struck);
    }

    /** From now on, for {@code time}, checkers look now and then. */
    public void watch(Duration time) {
        tick(world.nowNanos() + time.toNanos());
    }

    /** Lets the checkers say what is left to say. */
    public void end() {
        checks.tell(Checker::end);
    }

    public Variant variant() {
        return variant;
    }

    private void struck(String fault) {
        tally.fault();
        checks.tell(checker -> checker.struck(fault));
    }

    /** Lets {@code time} pass. */
    public void pass(Duration time) {
        world.run(world.nowNanos() + time.toNanos());
    }

    private void tick(long untilNanos) {
        checks.tell(Checker::tick);
        if (world.nowNanos() < untilNanos) {
            world.after(TICK.toNanos(), () -> tick(untilNanos));
        }
    }

    long nextId() {
        return ++ids;
    }

    /** Whether faults are over, so that processes should finish what they have and start nothing new. */
    public boolean isWindingDown() {
        return winding;
    }

    private void witness(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null && after.state() == State.HELD && (before == null || after.grants() != before.grants())) {
            tally.grant();
            if (before != null && before.state() == State.HELD) {
                tally.takeover();
            }
        }
        checks.tell(checker -> checker.changed(key, before, after));
    }

    public World world() {
        return world;
    }

    public Tally tally() {
        return tally;
    }

    public Checks checks() {
        return checks;
    }

    public SimStore store() {
        return store;
    }
}
