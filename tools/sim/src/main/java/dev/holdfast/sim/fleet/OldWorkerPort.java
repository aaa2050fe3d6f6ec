package dev.holdfast.sim.fleet;

import dev.holdfast.Attributes;
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

/**
 * The store as a worker of an older version uses it: the worker does not state that it follows orders, and as planner it
 * sees none.
 */
record OldWorkerPort(AsyncStore port) implements AsyncStore {
    @Override
    public StoreTraits traits() {
        return port.traits();
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        return port.apply(lane, changes.stream().map(OldWorkerPort::older).toList(), callerWaits);
    }

    private static Change older(Change change) {
        Entry next = change.next();
        if (next == null || !isReport(change.key())) {
            return change;
        }
        Attributes attributes = next.attributes().without("speaks").without("orders");
        return new Change(change.key(), change.expected(), next.withAttributes(next.version(), attributes));
    }

    private static boolean isReport(Key key) {
        return key.isAnchor() || key.name().equals("planner");
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        return port.read(keys);
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return port.scan(entryScan)
                .thenApply(page ->
                        entryScan.prefix().endsWith("/control") ? new ScanPage(List.of(), page.cursor()) : page);
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
