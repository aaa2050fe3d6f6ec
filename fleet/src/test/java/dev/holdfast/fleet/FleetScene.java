package dev.holdfast.fleet;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Several workers on a memory store, with a manual clock. */
final class FleetScene implements AutoCloseable {
    static final Duration TERM = Duration.ofSeconds(10);
    static final Duration POLL = Duration.ofSeconds(2);

    final ManualClock runtime = new ManualClock();
    private final MemoryStore memory = new MemoryStore(runtime);
    final List<String> events = new ArrayList<>();
    final Leases outsider = open("outsider", new MortalEnvironment(runtime), FaultyStore.around(memory));
    private final Map<String, MortalEnvironment> environments = new LinkedHashMap<>();
    private final Map<String, FaultyStore> stores = new LinkedHashMap<>();
    private final Map<String, Fleet> fleets = new LinkedHashMap<>();

    private static Leases open(String holder, MortalEnvironment environment, FaultyStore store) {
        return Holdfast.open(
                store,
                LeasesOptions.builder()
                        .holder(holder)
                        .environment(environment)
                        .withoutCleanUp()
                        .build());
    }

    Units units() {
        return Fleet.units(outsider, "crew");
    }

    void create(int count) {
        units().create(names(count), dev.holdfast.Attributes.NONE);
    }

    static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "u" + i).toList();
    }

    Fleet join(String worker) {
        return join(worker, it -> it);
    }

    Fleet join(String worker, UnaryOperator<FleetBuilder> with) {
        CompletableFuture<Fleet> joining = joining(worker, with);
        runtime.advance(Duration.ZERO);
        return joining.join();
    }

    /** Starts to join, which takes a while if a worker of this name has just died. */
    CompletableFuture<Fleet> joining(String worker) {
        return joining(worker, it -> it);
    }

    private CompletableFuture<Fleet> joining(String worker, UnaryOperator<FleetBuilder> with) {
        return joiningBare(
                worker,
                builder -> with.apply(builder.onAssigned(unit -> events.add(worker + " begins " + unit.name()))
                        .onRevoked(unit -> events.add(worker + " stops " + unit.name() + ": "
                                + unit.revoked().map(Enum::name).orElse("")))));
    }

    /** Joins without the callbacks that record events. */
    Fleet joinBare(String worker, UnaryOperator<FleetBuilder> with) {
        CompletableFuture<Fleet> joining = joiningBare(worker, with);
        runtime.advance(Duration.ZERO);
        return joining.join();
    }

    private CompletableFuture<Fleet> joiningBare(String worker, UnaryOperator<FleetBuilder> with) {
        MortalEnvironment environment = new MortalEnvironment(runtime);
        FaultyStore store = FaultyStore.around(memory);
        Leases leases = open(worker, environment, store);
        environments.put(worker, environment);
        stores.put(worker, store);
        FleetBuilder builder = Fleet.of(leases, "crew").worker(worker).term(TERM);
        CompletableFuture<Fleet> joining = with.apply(builder).joinAsync().toCompletableFuture();
        return joining.thenApply(fleet -> {
            fleets.put(worker, fleet);
            return fleet;
        });
    }

    Fleet fleet(String worker) {
        return Objects.requireNonNull(fleets.get(worker));
    }

    /** Returns the store as this worker sees it. */
    FaultyStore store(String worker) {
        return Objects.requireNonNull(stores.get(worker));
    }

    /** Kills the process of a worker: nothing runs in it any more, and its leases stay until they expire. */
    void kill(String worker) {
        Objects.requireNonNull(environments.get(worker)).kill();
        fleets.remove(worker);
    }

    void leave(String worker) {
        CompletableFuture<Void> leaving = fleet(worker).closeAsync().toCompletableFuture();
        for (int i = 0; i < 100 && !leaving.isDone(); i++) {
            runtime.advance(Duration.ofSeconds(1));
        }
        leaving.join();
    }

    /** Advances the clock long enough for all pending changes. */
    void settle() {
        runtime.advance(TERM.multipliedBy(6));
    }

    void advance(Duration time) {
        runtime.advance(time);
    }

    /** Returns the number of units of each worker, by its own view. */
    Map<String, Integer> loads() {
        Map<String, Integer> loads = new TreeMap<>();
        fleets.forEach((worker, fleet) -> loads.put(worker, fleet.held().size()));
        return loads;
    }

    Set<String> held(String worker) {
        return fleet(worker).held().stream().map(Unit::name).collect(Collectors.toCollection(TreeSet::new));
    }

    Set<String> allHeld() {
        return fleets.keySet().stream()
                .flatMap(worker -> held(worker).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void close() {
        runtime.close();
    }
}
