package dev.holdfast.sim.world;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store's machine: a real store behind a door that may be shut, and a witness of every change of an entry. */
public final class SimStore {
    private final LeaseStore store;
    private final boolean hasClock;
    private final Witness witness;
    private boolean down;

    /** Sees each change of an entry, as the store applied it. */
    public interface Witness {
        void changed(Key key, @Nullable Entry before, @Nullable Entry after);
    }

    /** @param hasClock whether the ages of beats are told; if not, clients must observe */
    public SimStore(LeaseStore store, boolean hasClock, Witness witness) {
        this.store = store;
        this.hasClock = hasClock;
        this.witness = witness;
    }

    void setDown(boolean down) {
        this.down = down;
    }

    boolean isDown() {
        return down;
    }

    StoreTraits traits() {
        return store.traits();
    }

    List<Outcome> apply(List<Change> changes) {
        List<Outcome> outcomes = new ArrayList<>();
        for (Change change : changes) {
            Entry before = current(change.key());
            Outcome outcome = store.apply(List.of(change)).get(0);
            if (outcome instanceof Outcome.Conflict conflict) {
                outcomes.add(new Outcome.Conflict(toldOfNullable(conflict.stored()), conflict.floor()));
            } else {
                outcomes.add(outcome);
                witness.changed(change.key(), before, current(change.key()));
            }
        }
        return outcomes;
    }

    /** The entry as it is, without asking over the network. */
    public @Nullable Entry current(Key key) {
        return store.read(List.of(key)).get(0).map(Stored::entry).orElse(null);
    }

    /** The entries of a namespace as they are, without asking over the network. */
    public List<Entry> all(String namespace) {
        List<Entry> found = new ArrayList<>();
        Page page = store.scan(Scan.of(namespace, 1000));
        page.entries().forEach(stored -> found.add(stored.entry()));
        while (page.cursor() != null) {
            page = store.scan(Scan.of(namespace, 1000).after(page.cursor()));
            page.entries().forEach(stored -> found.add(stored.entry()));
        }
        return found;
    }

    List<Optional<Stored>> read(List<Key> keys) {
        return store.read(keys).stream().map(found -> found.map(this::toldOf)).toList();
    }

    Page scan(Scan scan) {
        Page page = store.scan(scan);
        return new Page(page.entries().stream().map(this::toldOf).toList(), page.cursor());
    }

    private Stored toldOf(Stored stored) {
        return hasClock ? stored : new Stored(stored.entry(), null);
    }

    private @Nullable Stored toldOfNullable(@Nullable Stored stored) {
        return stored == null ? null : toldOf(stored);
    }
}
