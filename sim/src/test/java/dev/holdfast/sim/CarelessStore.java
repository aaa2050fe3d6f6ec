package dev.holdfast.sim;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.List;
import java.util.Optional;

/** A store that writes renewals without looking at the version. */
final class CarelessStore implements LeaseStore {
    private final LeaseStore store;

    CarelessStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        return store.apply(changes.stream().map(this::carelessly).toList());
    }

    private Change carelessly(Change change) {
        Entry next = change.next();
        Entry current = read(List.of(change.key())).get(0).map(Stored::entry).orElse(null);
        if (next == null || change.expected() == null || current == null || !isRenewal(next)) {
            return change;
        }
        Version anyway = current.version();
        return anyway.equals(next.version()) ? change : Change.replace(anyway, next);
    }

    private static boolean isRenewal(Entry next) {
        return next.state() == State.HELD
                && next.grant() != null
                && next.grant().beat().id().equals(next.version().id());
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        return store.read(keys);
    }

    @Override
    public Page scan(Scan scan) {
        return store.scan(scan);
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
