package dev.holdfast.sim.bugs;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Optional;

/** A store that writes renewals without checking the version. */
public final class CarelessStore implements LeaseStore {
    private final LeaseStore store;

    public CarelessStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return store.apply(changes.stream().map(this::carelessly).toList());
    }

    private Change carelessly(Change change) {
        Entry next = change.next();
        Entry current =
                read(List.of(change.key())).get(0).map(StoredEntry::entry).orElse(null);
        if (next == null || change.expected() == null || current == null || !isRenewal(next)) {
            return change;
        }
        Version anyway = current.version();
        return anyway.equals(next.version()) ? change : Change.replace(anyway, next);
    }

    private static boolean isRenewal(Entry next) {
        return next.state() == LeaseState.HELD
                && next.grant() != null
                && next.grant().beat().id().equals(next.version().id());
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        return store.read(keys);
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        return store.scan(entryScan);
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
