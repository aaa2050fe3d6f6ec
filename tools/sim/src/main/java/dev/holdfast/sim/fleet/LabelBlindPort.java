package dev.holdfast.sim.fleet;

import dev.holdfast.Key;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The store as a planner of an older version sees it: units require no labels. */
record LabelBlindPort(AsyncStore port) implements AsyncStore {
    @Override
    public StoreTraits traits() {
        return port.traits();
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        return port.apply(lane, changes, callerWaits);
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        return port.read(keys);
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return port.scan(entryScan)
                .thenApply(page -> new ScanPage(
                        page.entries().stream()
                                .map(LabelBlindPort::withoutRequirement)
                                .toList(),
                        page.cursor()));
    }

    private static StoredEntry withoutRequirement(StoredEntry stored) {
        Entry entry = stored.entry();
        return new StoredEntry(
                entry.withAttributes(entry.version(), entry.attributes().without("require")), stored.age());
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return port.notifier();
    }

    @Override
    public void close() {
        port.close();
    }
}
