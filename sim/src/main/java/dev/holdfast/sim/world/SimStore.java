package dev.holdfast.sim.world;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The store's machine: a real store behind a door that may be shut, and a witness of every change of an entry. */
public final class SimStore {
    private final World world;
    private final LeaseStore store;
    private final Map<Key, Set<Runnable>> wakers = new HashMap<>();
    private final boolean hasClock;
    private final Witness witness;
    private boolean down;

    /** Sees each change of an entry, as the store applied it. */
    public interface Witness {
        void changed(Key key, @Nullable Entry before, @Nullable Entry after);
    }

    /** @param hasClock whether the ages of beats are told; if not, clients must observe */
    public SimStore(World world, LeaseStore store, boolean hasClock, Witness witness) {
        this.world = world;
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

    /**
     * @param trouble how likely one of the changes fails by itself
     * @param mayBeKnown whether a failure may say that its change was not applied
     */
    List<Outcome> apply(List<Change> changes, double trouble, boolean mayBeKnown) {
        if (changes.stream().anyMatch(SimStore::isPoison)) {
            throw StoreException.rejected("one of " + changes.size() + " rows is bad", null);
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (Change change : changes) {
            boolean inTrouble = world.extraChance(trouble);
            boolean isKnown = inTrouble && mayBeKnown && world.extraChance(0.5);
            if (isKnown || (inTrouble && world.extraChance(0.5))) {
                outcomes.add(failed(isKnown));
            } else {
                Outcome outcome = apply(change);
                outcomes.add(inTrouble ? failed(false) : outcome);
            }
        }
        return outcomes;
    }

    private static Outcome failed(boolean isKnown) {
        return new Outcome.Failed(
                isKnown
                        ? StoreException.notApplied("this row failed", null)
                        : StoreException.unknown("cut short", null));
    }

    private static boolean isPoison(Change change) {
        Entry next = change.next();
        return next != null && next.attributes().get(ExtraFaults.POISON).isPresent();
    }

    private Outcome apply(Change change) {
        Entry before = current(change.key());
        Outcome outcome = store.apply(List.of(change)).get(0);
        if (outcome instanceof Outcome.Conflict conflict) {
            return new Outcome.Conflict(toldOfNullable(conflict.stored()), conflict.floor());
        }
        Entry after = current(change.key());
        witness.changed(change.key(), before, after);
        if (before != null && before.state() == State.HELD && (after == null || after.state() != State.HELD)) {
            List.copyOf(wakers.getOrDefault(change.key(), Set.of())).forEach(Runnable::run);
        }
        return outcome;
    }

    ChangeNotifier.Registration onFreed(Key key, Runnable wake) {
        wakers.computeIfAbsent(key, it -> new LinkedHashSet<>()).add(wake);
        return () -> wakers.getOrDefault(key, Set.of()).remove(wake);
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
