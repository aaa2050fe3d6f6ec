package dev.holdfast.sim.world;

import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The store as one process sees it: at the other end of the network. */
public final class SimPort implements StorePort {
    private final SimProcess process;
    private final Network network;
    private final SimStore store;
    /** Each life of a process has a port of its own. */
    private final long life;

    public SimPort(SimProcess process, Network network, SimStore store) {
        this.process = process;
        this.network = network;
        this.store = store;
        this.life = process.life();
    }

    /** Whether its process has crashed: then nothing is sent any more. */
    private boolean isOver() {
        return process.life() != life;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletableFuture<List<Outcome>> apply(int lane, List<Change> changes) {
        List<Change> sent = List.copyOf(changes);
        return isOver() ? new CompletableFuture<>() : network.apply(process, sent);
    }

    @Override
    public CompletableFuture<List<Optional<Stored>>> read(List<Key> keys) {
        return isOver() ? new CompletableFuture<>() : network.call(process, () -> store.read(keys));
    }

    @Override
    public CompletableFuture<Page> scan(Scan scan) {
        return isOver() ? new CompletableFuture<>() : network.call(process, () -> store.scan(scan));
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return network.faults().notifications()
                ? Optional.of((key, wake) -> {
                    long life = process.life();
                    return store.onFreed(key, () -> network.notify(process, life, wake));
                })
                : Optional.empty();
    }

    @Override
    public void close() {}
}
