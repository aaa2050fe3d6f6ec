package dev.holdfast.sim.world;

import dev.holdfast.Key;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The store as one process uses it, through the simulated network. */
public final class SimStoreClient implements AsyncStore {
    private final SimProcess process;
    private final SimNetwork simNetwork;
    private final SimStore store;
    /** Each life of a process has its own store client. */
    private final long life;

    public SimStoreClient(SimProcess process, SimNetwork simNetwork, SimStore store) {
        this.process = process;
        this.simNetwork = simNetwork;
        this.store = store;
        this.life = process.life();
    }

    /** Whether its process has crashed: then no more requests are sent. */
    private boolean isOver() {
        return process.life() != life;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes) {
        List<Change> sent = List.copyOf(changes);
        return isOver() ? new CompletableFuture<>() : simNetwork.apply(process, sent);
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        return isOver() ? new CompletableFuture<>() : simNetwork.call(process, () -> store.read(keys));
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return isOver() ? new CompletableFuture<>() : simNetwork.call(process, () -> store.scan(entryScan));
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return simNetwork.faults().notifications()
                ? Optional.of((key, wake) -> {
                    long life = process.life();
                    return store.onFreed(key, () -> simNetwork.notify(process, life, wake));
                })
                : Optional.empty();
    }

    @Override
    public void close() {}
}
