package dev.holdfast.testkit.pipeline;

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

/** A store that forwards every call to another, unless a test overrides it. */
class ForwardingStore implements LeaseStore {
    private final LeaseStore inner;

    ForwardingStore(LeaseStore inner) {
        this.inner = inner;
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return inner.apply(changes);
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        return inner.read(keys);
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        return inner.scan(entryScan);
    }

    @Override
    public StoreTraits traits() {
        return inner.traits();
    }

    @Override
    public void close() {
        inner.close();
    }
}
