package dev.holdfast.sim.publicbugs;

import dev.holdfast.Key;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** A client's connection to the store that reports other outcomes than the store's. */
final class ChangedPort implements AsyncStore {
    private final AsyncStore port;
    private final Function<List<Change>, CompletableFuture<List<WriteOutcome>>> apply;

    private ChangedPort(AsyncStore port, Function<List<Change>, CompletableFuture<List<WriteOutcome>>> apply) {
        this.port = port;
        this.apply = apply;
    }

    /** Reports what {@code report} makes of the outcome of each change. */
    static AsyncStore of(AsyncStore port, OutcomeReport report) {
        return new ChangedPort(
                port,
                changes -> port.apply(0, changes, false).thenApply(outcomes -> {
                    List<WriteOutcome> reported = new ArrayList<>();
                    for (int i = 0; i < changes.size(); i++) {
                        reported.add(report.of(changes.get(i), outcomes.get(i)));
                    }
                    return reported;
                }));
    }

    /** Does not send some changes, and reports that they were applied. */
    static AsyncStore without(AsyncStore port, Predicate<Change> isDropped) {
        return new ChangedPort(port, changes -> {
            List<Change> sent = changes.stream().filter(isDropped.negate()).toList();
            CompletableFuture<List<WriteOutcome>> outcomes =
                    sent.isEmpty() ? CompletableFuture.completedFuture(List.of()) : port.apply(0, sent, false);
            return outcomes.thenApply(known -> changes.stream()
                    .map(change -> isDropped.test(change) ? WriteOutcome.APPLIED : known.get(sent.indexOf(change)))
                    .toList());
        });
    }

    /** The outcome that is reported for a change. */
    interface OutcomeReport {
        WriteOutcome of(Change change, WriteOutcome outcome);
    }

    @Override
    public StoreTraits traits() {
        return port.traits();
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        return apply.apply(changes);
    }

    @Override
    public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
        return port.read(keys);
    }

    @Override
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return port.scan(entryScan);
    }

    @Override
    public Optional<ChangeNotifier> notifier() {
        return port.notifier();
    }

    @Override
    public void close() {
        port.close();
    }
}
