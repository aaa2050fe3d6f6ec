package dev.holdfast.sim.bugs;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stores with planted bugs: they report an outcome that they cannot know. */
final class BadPorts {
    /** The writes by which the pipeline prevents late changes from being applied. */
    private static final Set<Change> BARS = ConcurrentHashMap.newKeySet();

    private BadPorts() {}

    static void noteBar(Change bar) {
        BARS.add(bar);
    }

    /** Reports "not applied" when the outcome is unknown. */
    static AsyncStore unknownIsNo(AsyncStore port) {
        return wrap(port, changes -> {
            CompletableFuture<List<WriteOutcome>> result = new CompletableFuture<>();
            Futures.whenDone(port.apply(0, changes, false), (outcomes, error) -> {
                if (error == null) {
                    result.complete(Objects.requireNonNull(outcomes));
                } else {
                    result.completeExceptionally(StoreException.notApplied("surely not", error));
                }
            });
            return result;
        });
    }

    /** Where the pipeline writes to prevent a late change, only reads, and finds that the change is not there yet. */
    static AsyncStore readsInsteadOfBarring(AsyncStore port) {
        return wrap(port, changes -> {
            List<Key> keys = changes.stream().map(Change::key).toList();
            return changes.stream().noneMatch(BARS::contains)
                    ? port.apply(0, changes, false)
                    : port.read(keys).thenApply(found -> asIfWritten(changes, found));
        });
    }

    private static List<WriteOutcome> asIfWritten(List<Change> changes, List<Optional<StoredEntry>> found) {
        List<WriteOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            @Nullable
            Version version = found.get(i)
                    .map(storedEntry -> storedEntry.entry().version())
                    .orElse(null);
            boolean asExpected = Objects.equals(version, changes.get(i).expected());
            outcomes.add(
                    asExpected
                            ? WriteOutcome.APPLIED
                            : WriteOutcome.conflict(found.get(i).orElse(null)));
        }
        return outcomes;
    }

    private static AsyncStore wrap(
            AsyncStore port, Function<List<Change>, CompletableFuture<List<WriteOutcome>>> apply) {
        return new AsyncStore() {
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
        };
    }
}
