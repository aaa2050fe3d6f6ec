package dev.holdfast.internal.engine;

import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store whose answers a test gives by hand, and that notifies when the test says so. */
final class ScriptedPort implements StorePort, ChangeNotifier {
    final List<Apply> applies = new ArrayList<>();
    final List<CompletableFuture<List<Optional<Stored>>>> reads = new ArrayList<>();
    final List<CompletableFuture<Page>> scans = new ArrayList<>();
    final List<Runnable> wakers = new ArrayList<>();

    record Apply(List<Change> changes, CompletableFuture<List<Outcome>> answer) {}

    @Override
    public StoreTraits traits() {
        return new StoreTraits(1, 100, Duration.ZERO);
    }

    @Override
    public CompletableFuture<List<Outcome>> apply(int lane, List<Change> changes) {
        Apply apply = new Apply(List.copyOf(changes), new CompletableFuture<>());
        applies.add(apply);
        return apply.answer;
    }

    @Override
    public CompletableFuture<List<Optional<Stored>>> read(List<Key> keys) {
        reads.add(new CompletableFuture<>());
        return reads.get(reads.size() - 1);
    }

    @Override
    public CompletableFuture<Page> scan(Scan scan) {
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
