package dev.holdfast.testkit.engine;

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

/** A store that is another, as far as a test does not say otherwise. */
class ForwardingStore implements LeaseStore {
    private final LeaseStore inner;

    ForwardingStore(LeaseStore inner) {
        this.inner = inner;
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        return inner.apply(changes);
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        return inner.read(keys);
    }

    @Override
    public Page scan(Scan scan) {
        return inner.scan(scan);
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
