package dev.holdfast.sim.study;

import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.model.Key;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A store at the other end of a network on which nothing goes wrong. */
final class CountingPort implements StorePort {
    private final SimProcess process;
    private final LeaseStore store;
    private final boolean hasClock;
    private final Requests requests;

    /** @param hasClock whether the ages of beats are told; if not, clients must observe */
    CountingPort(SimProcess process, LeaseStore store, boolean hasClock, Requests requests) {
        this.process = process;
        this.store = store;
        this.hasClock = hasClock;
        this.requests = requests;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletableFuture<List<Outcome>> apply(int lane, List<Change> changes) {
        List<Change> sent = List.copyOf(changes);
        requests.write();
        return call(() -> store.apply(sent).stream().map(this::told).toList());
    }

    @Override
    public CompletableFuture<List<Optional<Stored>>> read(List<Key> keys) {
        List<Key> sent = List.copyOf(keys);
        requests.read();
        return call(() ->
                store.read(sent).stream().map(found -> found.map(this::told)).toList());
    }

    @Override
    public CompletableFuture<Page> scan(Scan scan) {
        requests.page();
        return call(() -> {
            Page page = store.scan(scan);
            return new Page(page.entries().stream().map(this::told).toList(), page.cursor());
        });
    }

    /** The store does it half a round trip later, also if the caller is dead by then. */
    private <T> CompletableFuture<T> call(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long life = process.life();
        long half = Deployment.ROUND_TRIP.toNanos() / 2;
        process.world().after(half, () -> {
            T result = work.get();
            if (process.life() == life) {
                process.after(half, () -> answer.complete(result));
            }
        });
        return answer;
    }

    private Outcome told(Outcome outcome) {
        return outcome instanceof Outcome.Conflict conflict && conflict.stored() != null
                ? new Outcome.Conflict(told(conflict.stored()), conflict.floor())
                : outcome;
    }

    private Stored told(Stored stored) {
        return hasClock ? stored : new Stored(stored.entry(), null);
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
