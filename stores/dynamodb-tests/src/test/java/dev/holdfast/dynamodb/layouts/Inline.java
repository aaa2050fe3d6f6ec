package dev.holdfast.dynamodb.layouts;

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

/** Store that runs on the threads of its callers, so that manual time stands still during a request. */
record Inline(LeaseStore inner) implements LeaseStore {
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
        StoreTraits traits = inner.traits();
        return new StoreTraits(0, traits.batchLimit(), traits.step(), traits.dialect());
    }

    @Override
    public void close() {
        inner.close();
    }
}
