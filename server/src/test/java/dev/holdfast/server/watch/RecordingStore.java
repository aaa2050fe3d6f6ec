package dev.holdfast.server.watch;

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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that records the scanned prefixes, page by page, and the maximum number of concurrent scans. */
final class RecordingStore implements LeaseStore {
    private final LeaseStore delegate;
    private final List<String> scanned = new CopyOnWriteArrayList<>();
    private final AtomicInteger scanning = new AtomicInteger();
    private final AtomicInteger mostScanning = new AtomicInteger();

    RecordingStore(LeaseStore delegate) {
        this.delegate = delegate;
    }

    List<String> scanned() {
        return scanned;
    }

    int mostScanning() {
        return mostScanning.get();
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        mostScanning.accumulateAndGet(scanning.incrementAndGet(), Math::max);
        scanned.add(entryScan.prefix());
        try {
            return delegate.scan(entryScan);
        } finally {
            scanning.decrementAndGet();
        }
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return delegate.apply(changes);
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        return delegate.read(keys);
    }

    @Override
    public StoreTraits traits() {
        return delegate.traits();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
