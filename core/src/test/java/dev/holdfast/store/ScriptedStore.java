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
    public final List<CompletableFuture<ScanPage>> scans = new ArrayList<>();
    public final List<Runnable> wakers = new ArrayList<>();

    public record Apply(List<Change> changes, CompletableFuture<List<WriteOutcome>> answer) {}

    @Override
    public StoreTraits traits() {
        return new StoreTraits(1, 100, Duration.ZERO);
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        Apply apply = new Apply(List.copyOf(changes), new CompletableFuture<>());
        applies.add(apply);
        return apply.answer;
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
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
    public Registration onFreed(Key key, Runnable wake) {
        wakers.add(wake);
        return () -> wakers.remove(wake);
    }

    @Override
    public void close() {}
}
