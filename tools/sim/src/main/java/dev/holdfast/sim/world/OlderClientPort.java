package dev.holdfast.sim.world;

import dev.holdfast.Key;
import dev.holdfast.history.GrantHistory;
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

/** The store as code from before histories uses it: that code neither reads nor writes them. */
public final class OlderClientPort implements AsyncStore {
    private final AsyncStore port;

    public OlderClientPort(AsyncStore port) {
        this.port = port;
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        return port.apply(lane, changes.stream().map(OlderClientPort::untouched).toList(), callerWaits)
                .thenApply(outcomes ->
                        outcomes.stream().map(OlderClientPort::unaware).toList());
    }

    private static Change untouched(Change change) {
        Entry next = change.next();
        return next == null
                ? change
                : new Change(change.key(), change.expected(), next.withHistory(HistoryColumn.UNTOUCHED));
    }

    private static WriteOutcome unaware(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Conflict conflict && conflict.stored() != null
                ? new WriteOutcome.Conflict(unaware(conflict.stored()), conflict.floor())
                : outcome;
    }

    private static StoredEntry unaware(StoredEntry found) {
        return new StoredEntry(found.entry().withHistory(GrantHistory.NONE), found.age());
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        return port.read(keys)
                .thenApply(all -> all.stream()
                        .map(found -> found.map(OlderClientPort::unaware))
                        .toList());
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return port.scan(entryScan)
                .thenApply(page -> new ScanPage(
                        page.entries().stream().map(OlderClientPort::unaware).toList(), page.cursor()));
    }

    @Override
    public StoreTraits traits() {
        return port.traits();
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
