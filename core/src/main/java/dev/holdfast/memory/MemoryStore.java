package dev.holdfast.memory;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.ScanCursor;
import dev.holdfast.support.WakeUpRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory: for first experiments, for tests, and as the simplest reference implementation of a store. Its
 * clock is the ticker of the process, which all its clients share. Nothing survives the process.
 *
 * <p>One lock guards all; it is never held while calling out.
 */
public final class MemoryStore implements LeaseStore, ChangeNotifier {
    private static final int BATCH_LIMIT = 512;

    private final HostEnvironment hostEnvironment;
    private final StoreTraits traits;
    private final boolean keepsFloor;
    private final NavigableMap<Key, MemoryRow> rows;
    private final WakeUpRegistry<Key> wakeUps;
    private final FenceFloor floor;

    public MemoryStore(HostEnvironment hostEnvironment) {
        this(hostEnvironment, 0, true);
    }

    /**
     * A store that imitates the limits of other stores.
     *
     * @param lanes 0 to run on the callers' threads, as nothing here blocks; more to run as a blocking store would
     * @param keepsFloor whether to remember the highest fence of removed entries
     */
    public MemoryStore(HostEnvironment hostEnvironment, int lanes, boolean keepsFloor) {
        this.keepsFloor = keepsFloor;
        this.hostEnvironment = hostEnvironment;
        this.traits = new StoreTraits(lanes, BATCH_LIMIT, Duration.ZERO).withLongestCall(Duration.ZERO);
        this.rows = new TreeMap<>();
        this.wakeUps = new WakeUpRegistry<>(key -> key);
        this.floor = new FenceFloor();
    }

    private MemoryStore(MemoryStore other, int history) {
        this.keepsFloor = other.keepsFloor;
        this.hostEnvironment = other.hostEnvironment;
        this.traits = other.traits.withHistory(history);
        this.rows = other.rows;
        this.wakeUps = other.wakeUps;
        this.floor = other.floor;
    }

    /** The same entries, for clients with another length of histories. */
    public MemoryStore withHistory(int history) {
        return new MemoryStore(this, history);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        List<WriteOutcome> outcomes = new ArrayList<>(changes.size());
        List<Entry> freed = new ArrayList<>(0);
        synchronized (rows) {
            for (Change change : changes) {
                outcomes.add(apply(change, freed));
            }
        }
        freed.forEach(entry -> wakeUps.wake(entry.key(), entry));
        return outcomes;
    }

    private WriteOutcome apply(Change change, List<Entry> freed) {
        MemoryRow row = rows.get(change.key());
        Version current = row == null ? null : row.entry.version();
        Entry next = change.next();
        boolean belowFloor =
                row == null && next != null && !next.fence().isAbove(floor.fence) && floor.fence.isAbove(Fence.NONE);
        if (!Objects.equals(current, change.expected()) || belowFloor) {
            return new WriteOutcome.Conflict(row == null ? null : stored(row), floor.fence);
        }
        if (next == null) {
            rows.remove(change.key());
            if (keepsFloor && row != null && row.entry.fence().isAbove(floor.fence)) {
                floor.fence = row.entry.fence();
            }
        } else {
            rows.put(change.key(), new MemoryRow(next, stamp(row, next)));
            if (row != null && row.entry.state() == LeaseState.HELD && next.state() != LeaseState.HELD) {
                freed.add(next);
            }
        }
        return WriteOutcome.APPLIED;
    }

    /** The time when the beat was first stored: only a new beat gets a new stamp. */
    private long stamp(@Nullable MemoryRow before, Entry next) {
        return before != null && Objects.equals(beat(before.entry), beat(next))
                ? before.stampNanos
                : hostEnvironment.nanos();
    }

    private static @Nullable Beat beat(Entry entry) {
        return entry.grant() == null ? null : entry.grant().beat();
    }

    private StoredEntry stored(MemoryRow row) {
        return new StoredEntry(row.entry, Duration.ofNanos(hostEnvironment.nanos() - row.stampNanos));
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        synchronized (rows) {
            return keys.stream()
                    .map(key -> Optional.ofNullable(rows.get(key)).map(this::stored))
                    .toList();
        }
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        List<StoredEntry> found = new ArrayList<>();
        synchronized (rows) {
            for (MemoryRow row : from(entryScan.cursor()).values()) {
                if (entryScan.matches(row.entry)) {
                    if (found.size() == entryScan.limit()) {
                        Key last = found.get(found.size() - 1).entry().key();
                        return new ScanPage(found, ScanCursor.after(last));
                    }
                    found.add(stored(row));
                }
            }
        }
        return new ScanPage(found, null);
    }

    private NavigableMap<Key, MemoryRow> from(@Nullable String cursor) {
        return cursor == null ? rows : rows.tailMap(ScanCursor.parseKey(cursor), false);
    }

    @Override
    public Registration onFreed(Key key, WakeUp wake) {
        return wakeUps.add(key, wake, 0);
    }

    @Override
    public void close() {
        // The entries stay: other clients may share this store.
    }

    private record MemoryRow(Entry entry, long stampNanos) {}

    /** The highest fence of removed entries; guarded by the rows. */
    private static final class FenceFloor {
        private Fence fence = Fence.NONE;
    }
}
