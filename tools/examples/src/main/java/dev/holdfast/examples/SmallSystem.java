package dev.holdfast.examples;

import dev.holdfast.Attributes;
import dev.holdfast.Holdfast;
import dev.holdfast.LeasesOptions;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Small system of workers in one process, on simulated time: a minute takes a moment. It shows how to test the
 * behaviour of your own workers when other workers join, leave or lose their connection.
 */
public final class SmallSystem implements AutoCloseable {
    private final ManualClock time = new ManualClock();
    private final LeaseStore store = Holdfast.provider("memory:").open("memory:", time);
    private final Map<String, Fleet> workers = new TreeMap<>();
    private final Consumer<String> out;

    public SmallSystem(Consumer<String> out) {
        this.out = out;
    }

    public static void main(String[] args) {
        try (SmallSystem system = new SmallSystem(line -> System.out.println(line))) {
            system.run();
        }
    }

    public void run() {
        Fleet ann = join("ann", FaultyStore.around(store));
        Fleet bob = join("bob", FaultyStore.around(store));
        List<String> units = IntStream.range(0, 12).mapToObj(i -> "shard-" + i).toList();
        await(ann.units().createAsync(units, Attributes.NONE));
        show("ann and bob share the units", Duration.ofSeconds(10));
        FaultyStore link = FaultyStore.around(store);
        join("cid", link);
        show("cid joined", Duration.ofSeconds(30));
        await(bob.closeAsync());
        workers.remove("bob");
        show("bob left and handed over all units", Duration.ofSeconds(5));
        for (FaultyStore.Call call : FaultyStore.Call.values()) {
            link.always(call, StoreFault.FAIL);
        }
        show("cid lost its connection to the store", Duration.ofSeconds(20));
        link.heal();
        show("cid is back", Duration.ofSeconds(40));
    }

    private Fleet join(String name, FaultyStore link) {
        LeasesOptions options =
                LeasesOptions.builder().holder(name).environment(time).build();
        Fleet fleet = await(Fleet.of(Holdfast.open(link, options), "system")
                .worker(name)
                .onAssigned(unit -> {}) // your work begins here,
                .onRevoked(unit -> {}) // and stops here
                .joinAsync());
        workers.put(name, fleet);
        return fleet;
    }

    private void show(String event, Duration later) {
        time.advance(later);
        Map<String, Integer> held = new TreeMap<>();
        workers.forEach((name, fleet) -> held.put(name, fleet.held().size()));
        out.accept(event + ": " + held);
    }

    /**
     * Advances the clock until the stage is complete. A blocking call would never return: this thread moves the clock.
     */
    private <T> T await(CompletionStage<T> stage) {
        for (int i = 0; i < 100 && !stage.toCompletableFuture().isDone(); i++) {
            time.advance(Duration.ofMillis(500));
        }
        return stage.toCompletableFuture().join();
    }

    @Override
    public void close() {
        time.close();
    }
}
