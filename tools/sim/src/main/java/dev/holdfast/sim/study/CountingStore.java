package dev.holdfast.sim.study;

import dev.holdfast.Key;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A store behind a network without faults, which counts its requests. */
final class CountingStore implements AsyncStore {
    private final SimProcess process;
    private final LeaseStore store;
    private final boolean hasClock;
    private final RequestCount requests;

    /** @param hasClock whether the store returns the ages of beats; if not, clients must observe them */
    CountingStore(SimProcess process, LeaseStore store, boolean hasClock, RequestCount requests) {
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
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        List<Change> sent = List.copyOf(changes);
        requests.write();
        return call(() -> store.apply(sent).stream().map(this::visible).toList());
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        List<Key> sent = List.copyOf(keys);
        requests.read();
        return call(() ->
                store.read(sent).stream().map(found -> found.map(this::visible)).toList());
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan scan) {
        requests.page();
        return call(() -> {
            ScanPage page = store.scan(scan);
            return new ScanPage(page.entries().stream().map(this::visible).toList(), page.cursor());
        });
    }

    /** Runs {@code work} half a round trip later, even if the caller has crashed by then. */
    private <T> CompletableFuture<T> call(Supplier<T> work) {
        CompletableFuture<T> response = new CompletableFuture<>();
        long life = process.life();
        long half = FleetDeployment.ROUND_TRIP.toNanos() / 2;
        process.world().after(half, () -> {
            T result = work.get();
            if (process.life() == life) {
                process.after(half, () -> response.complete(result));
            }
        });
        return response;
    }

    private WriteOutcome visible(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Conflict conflict && conflict.stored() != null
                ? new WriteOutcome.Conflict(visible(conflict.stored()), conflict.floor())
                : outcome;
    }

    /** The entry as clients receive it: without its age if the store has no clock. */
    private StoredEntry visible(StoredEntry stored) {
        return hasClock ? stored : new StoredEntry(stored.entry(), null);
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
