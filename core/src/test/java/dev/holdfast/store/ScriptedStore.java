package dev.holdfast.store;

import dev.holdfast.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store with answers and notifications that a test triggers by hand. */
public final class ScriptedStore implements AsyncStore, ChangeNotifier {
    public final List<Apply> applies = new ArrayList<>();
    public final List<CompletableFuture<List<Optional<StoredEntry>>>> reads = new ArrayList<>();
    /** The keys of each of the reads. */
    public final List<List<Key>> keysRead = new ArrayList<>();

    public final List<CompletableFuture<ScanPage>> scans = new ArrayList<>();
    public final List<WakeUp> wakers = new ArrayList<>();

    /** The keys whose release is to be notified. */
    public final List<Key> watched = new ArrayList<>();

    private final StoreTraits traits;

    public ScriptedStore() {
        this(1, 100);
    }

    public ScriptedStore(int lanes, int batchLimit) {
        traits = new StoreTraits(lanes, batchLimit, Duration.ZERO);
    }

    /** A batch of writes, and whether the calling thread waits for it. */
    public record Apply(List<Change> changes, boolean callerWaits, CompletableFuture<List<WriteOutcome>> answer) {}

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        Apply apply = new Apply(List.copyOf(changes), callerWaits, new CompletableFuture<>());
        applies.add(apply);
        return apply.answer;
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        keysRead.add(List.copyOf(keys));
        reads.add(new CompletableFuture<>());
        return reads.get(reads.size() - 1);
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        scans.add(new CompletableFuture<>());
        return scans.get(scans.size() - 1);
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return Optional.of(this);
    }

    @Override
    public Registration onFreed(Key key, WakeUp wake) {
        wakers.add(wake);
        watched.add(key);
        return () -> {
            wakers.remove(wake);
            watched.remove(key);
        };
    }

    @Override
    public void close() {}
}
