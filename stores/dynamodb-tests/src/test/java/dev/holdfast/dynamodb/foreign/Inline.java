package dev.holdfast.dynamodb.foreign;

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

/** Runs on the threads of those who call, so that manual time stands still while the service is asked. */
record Inline(LeaseStore inner) implements LeaseStore {
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
        StoreTraits traits = inner.traits();
        return new StoreTraits(0, traits.batchLimit(), traits.step(), traits.dialect());
    }

    @Override
    public void close() {
        inner.close();
    }
}
