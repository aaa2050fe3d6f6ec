package dev.holdfast.bench;

import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Optional;

/** A store without group commit: every change is its own batch. */
record SingleChangeBatches(LeaseStore store) implements LeaseStore {
    @Override
    public StoreTraits traits() {
        StoreTraits traits = store.traits();
        return new StoreTraits(traits.lanes(), 1, traits.step(), traits.dialect(), traits.longestCall());
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return store.apply(changes);
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        return store.read(keys);
    }

    @Override
    public ScanPage scan(EntryScan scan) {
        return store.scan(scan);
    }

    @Override
    public void close() {
        store.close();
    }
}
