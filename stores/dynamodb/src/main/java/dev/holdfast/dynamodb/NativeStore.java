package dev.holdfast.dynamodb;

import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Skeleton. */
final class NativeStore implements LeaseStore {
    private final Table table;
    private final Runtime runtime;

    NativeStore(Table table, Runtime runtime) {
        this.table = table;
        this.runtime = runtime;
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(table.url().lanes(), Table.BATCH_GET_LIMIT, Duration.ZERO);
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        throw new UnsupportedOperationException(String.valueOf(runtime));
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page scan(Scan scan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        table.close();
    }
}
