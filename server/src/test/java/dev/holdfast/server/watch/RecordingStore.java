package dev.holdfast.server.watch;

import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers which prefixes were scanned, page by page, and how many scans ran at a time. */
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
    public Page scan(Scan scan) {
        mostScanning.accumulateAndGet(scanning.incrementAndGet(), Math::max);
        scanned.add(scan.prefix());
        try {
            return delegate.scan(scan);
        } finally {
            scanning.decrementAndGet();
        }
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        return delegate.apply(changes);
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
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
