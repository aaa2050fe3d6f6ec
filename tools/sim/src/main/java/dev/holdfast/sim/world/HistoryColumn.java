package dev.holdfast.sim.world;

import dev.holdfast.Key;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A store in which histories are a column of their own, as in databases: writes of older code leave it as it is, and it
 * is decoded when it is read.
 */
public final class HistoryColumn implements LeaseStore {
    /** The history of an entry that older code writes: the stored one stays. */
    static final GrantHistory UNTOUCHED = GrantHistory.decode(new byte[1], Instant.EPOCH);

    private final LeaseStore store;

    public HistoryColumn(LeaseStore store) {
        this.store = store;
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return store.apply(changes.stream().map(this::stored).toList()).stream()
                .map(HistoryColumn::visible)
                .toList();
    }

    private Change stored(Change change) {
        Entry next = change.next();
        if (next == null || !next.history().equals(UNTOUCHED)) {
            return change;
        }
        GrantHistory kept = store.read(List.of(change.key()))
                .get(0)
                .map(found -> found.entry().history())
                .orElse(GrantHistory.NONE);
        return new Change(change.key(), change.expected(), next.withHistory(kept));
    }

    private static WriteOutcome visible(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Conflict conflict && conflict.stored() != null
                ? new WriteOutcome.Conflict(decoded(conflict.stored()), conflict.floor())
                : outcome;
    }

    private static StoredEntry decoded(StoredEntry found) {
        Entry entry = found.entry();
        return entry.history().isEmpty()
                ? found
                : new StoredEntry(
                        entry.withHistory(GrantHistory.decode(entry.history().encoded(), entry.createdAt())),
                        found.age());
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        return store.read(keys).stream()
                .map(found -> found.map(HistoryColumn::decoded))
                .toList();
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        ScanPage page = store.scan(entryScan);
        return new ScanPage(page.entries().stream().map(HistoryColumn::decoded).toList(), page.cursor());
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public void close() {
        store.close();
    }
}
