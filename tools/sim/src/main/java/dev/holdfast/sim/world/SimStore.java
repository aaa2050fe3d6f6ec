package dev.holdfast.sim.world;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.ChangeNotifier.WakeUp;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The machine of the store: a real store that may be down, with a witness of every change of an entry. */
public final class SimStore {
    private final SimWorld world;
    private final LeaseStore store;
    private final Map<Key, Set<WakeUp>> wakers = new HashMap<>();
    private final Map<Key, SimTransaction> locks = new HashMap<>();
    private final boolean hasClock;
    private final Witness witness;
    private boolean down;

    /** An observer of each change of an entry, as the store applied it. */
    public interface Witness {
        void changed(@Nullable SimProcess writer, Key key, @Nullable Entry before, @Nullable Entry after);
    }

    /** @param hasClock whether the store returns the ages of beats; if not, clients must observe them */
    public SimStore(SimWorld world, LeaseStore store, boolean hasClock, Witness witness) {
        this.world = world;
        this.store = store;
        this.hasClock = hasClock;
        this.witness = witness;
    }

    void setDown(boolean down) {
        if (this.down != down) {
            world.recorder().storeDown(down);
        }
        this.down = down;
    }

    boolean isDown() {
        return down;
    }

    /**
     * @param failureProbability the probability that a change fails by itself
     * @param mayBeKnown whether a failure may report that its change was not applied
     */
    List<WriteOutcome> apply(SimProcess writer, List<Change> changes, double failureProbability, boolean mayBeKnown) {
        if (changes.stream().anyMatch(SimStore::isPoison)) {
            throw StoreException.rejected("one of " + changes.size() + " rows is bad", null);
        }
        List<WriteOutcome> outcomes = new ArrayList<>();
        for (Change change : changes) {
            boolean fails = world.extraChance(failureProbability);
            boolean isKnown = fails && mayBeKnown && world.extraChance(0.5);
            if (locks.containsKey(change.key())) {
                outcomes.add(failed(mayBeKnown));
            } else if (isKnown || (fails && world.extraChance(0.5))) {
                outcomes.add(failed(isKnown));
            } else {
                WriteOutcome outcome = apply(writer, change);
                outcomes.add(fails ? failed(false) : outcome);
            }
        }
        return outcomes;
    }

    private static WriteOutcome failed(boolean isKnown) {
        return new WriteOutcome.Failed(
                isKnown
                        ? StoreException.notApplied("this row failed", null)
                        : StoreException.unknown("cut short", null));
    }

    private static boolean isPoison(Change change) {
        Entry next = change.next();
        return next != null && next.attributes().get(ExtraFaults.POISON).isPresent();
    }

    private WriteOutcome apply(@Nullable SimProcess writer, Change change) {
        Entry before = current(change.key());
        WriteOutcome outcome = store.apply(List.of(change)).get(0);
        if (outcome instanceof WriteOutcome.Conflict conflict) {
            StoredEntry stored = conflict.stored();
            return new WriteOutcome.Conflict(stored == null ? null : visible(stored), conflict.floor());
        }
        Entry after = current(change.key());
        witness.changed(writer, change.key(), before, after);
        if (before != null
                && before.state() == LeaseState.HELD
                && (after == null || after.state() != LeaseState.HELD)) {
            List.copyOf(wakers.getOrDefault(change.key(), Set.of())).forEach(wake -> wake.wake(after));
        }
        return outcome;
    }

    /** Locks an entry for a transaction. Returns false if another transaction has locked it. */
    boolean lock(Key key, SimTransaction transaction) {
        return locks.putIfAbsent(key, transaction) == null || transaction.equals(locks.get(key));
    }

    void unlock(SimTransaction transaction) {
        locks.values().removeIf(transaction::equals);
    }

    /** Applies a change of a transaction that is committed. */
    void applyNow(Change change) {
        if (!(apply(null, change) instanceof WriteOutcome.Applied)) {
            throw new IllegalStateException(change.key() + " changed although a transaction had locked it");
        }
    }

    @Nullable
    StoredEntry stored(Key key) {
        return read(List.of(key)).get(0).orElse(null);
    }

    /** The stored entry, read without the network. */
    public @Nullable Entry current(Key key) {
        return store.read(List.of(key)).get(0).map(StoredEntry::entry).orElse(null);
    }

    /** The stored entries of a namespace, read without the network. */
    public List<Entry> all(String namespace) {
        EntryScan scan = EntryScan.of(namespace, 1000);
        List<Entry> found = new ArrayList<>();
        while (true) {
            ScanPage page = store.scan(scan);
            page.entries().forEach(stored -> found.add(stored.entry()));
            if (page.cursor() == null) {
                return found;
            }
            scan = scan.after(page.cursor());
        }
    }

    private List<Optional<StoredEntry>> read(List<Key> keys) {
        return store.read(keys).stream().map(found -> found.map(this::visible)).toList();
    }

    private ScanPage scan(EntryScan entryScan) {
        ScanPage scanPage = store.scan(entryScan);
        return new ScanPage(scanPage.entries().stream().map(this::visible).toList(), scanPage.cursor());
    }

    /** The entry as clients receive it: without its age if the store has no clock. */
    private StoredEntry visible(StoredEntry storedEntry) {
        return hasClock ? storedEntry : new StoredEntry(storedEntry.entry(), null);
    }

    /** The store as this life of a process uses it, through the network. A process that crashed sends nothing more. */
    public AsyncStore client(SimProcess process, SimNetwork network) {
        return new NetworkedStore(process, process.life(), network);
    }

    private final class NetworkedStore implements AsyncStore {
        private final SimProcess process;
        private final long life;
        private final SimNetwork network;

        NetworkedStore(SimProcess process, long life, SimNetwork network) {
            this.process = process;
            this.life = life;
            this.network = network;
        }

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
            List<Change> sent = List.copyOf(changes);
            return ifAlive(() -> network.apply(process, sent));
        }

        @Override
        public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
            return ifAlive(() -> network.call(process, new StoreRequest.Read(keys), () -> SimStore.this.read(keys)));
        }

        @Override
        public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
            return ifAlive(() -> network.call(process, new StoreRequest.Scan(), () -> SimStore.this.scan(entryScan)));
        }

        private <T> CompletableFuture<T> ifAlive(Supplier<CompletableFuture<T>> call) {
            return process.life() == life ? call.get() : new CompletableFuture<>();
        }

        @Override
        public Optional<ChangeNotifier> notifier() {
            return network.faults().notifications() ? Optional.of(this::onFreed) : Optional.empty();
        }

        private ChangeNotifier.Registration onFreed(Key key, WakeUp wake) {
            long thisLife = process.life();
            // A store may notify a client with or without the entry; here, this depends on whether the store has a
            // clock.
            WakeUp send = found -> network.notify(process, thisLife, () -> wake.wake(hasClock ? found : null));
            wakers.computeIfAbsent(key, it -> new LinkedHashSet<>()).add(send);
            return () -> wakers.getOrDefault(key, Set.of()).remove(send);
        }

        @Override
        public void close() {}
    }
}
