package dev.holdfast.chaos.bug;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.Grant;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A store between the client and the real one that loses answers, or lies about writes. */
class PortBug implements AsyncStore {
    private static final double USUAL_CHANCE = 0.1;

    final AsyncStore port;

    PortBug(AsyncStore port) {
        this.port = port;
    }

    /** Loses some answers of writes. This is no bug: the network does so, and the client must cope. */
    static AsyncStore losingAnswers(AsyncStore port) {
        return new PortBug(port) {
            @Override
            public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
                boolean lost = happens(USUAL_CHANCE);
                return super.apply(lane, changes, callerWaits)
                        .thenCompose(outcomes -> lost
                                ? CompletableFuture.failedFuture(StoreException.unknown("the answer was lost", null))
                                : CompletableFuture.completedFuture(outcomes));
            }
        };
    }

    /** Reports "not applied" when the outcome is unknown. */
    static AsyncStore unknownIsNo(AsyncStore port) {
        return new PortBug(port) {
            @Override
            public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
                CompletableFuture<List<WriteOutcome>> result = new CompletableFuture<>();
                Futures.whenDone(super.apply(lane, changes, callerWaits), (outcomes, error) -> {
                    if (outcomes != null) {
                        result.complete(outcomes);
                    } else {
                        result.completeExceptionally(StoreException.notApplied("surely not", error));
                    }
                });
                return result;
            }
        };
    }

    /** Writes renewals over any version. */
    static AsyncStore carelessRenewals(AsyncStore port) {
        return new PortBug(port) {
            @Override
            public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
                return read(changes.stream().map(Change::key).toList()).thenCompose(found -> {
                    List<Change> careless = new ArrayList<>();
                    for (int i = 0; i < changes.size(); i++) {
                        careless.add(anyVersion(
                                changes.get(i),
                                found.get(i).map(StoredEntry::entry).orElse(null)));
                    }
                    return port.apply(lane, careless, false);
                });
            }
        };
    }

    private static Change anyVersion(Change change, @Nullable Entry current) {
        Entry next = change.next();
        if (next == null || current == null || change.expected() == null || !isRenewal(next)) {
            return change;
        }
        Version stored = current.version();
        return stored.equals(next.version()) ? change : Change.replace(stored, next);
    }

    private static boolean isRenewal(Entry next) {
        Grant grant = next.grant();
        return next.state() == LeaseState.HELD
                && grant != null
                && grant.beat().id().equals(next.version().id());
    }

    /** Acknowledges some updates of attributes without writing them. */
    static AsyncStore droppingUpdates(AsyncStore port) {
        return new PortBug(port) {
            @Override
            public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
                boolean dropped = changes.size() == 1 && isUpdate(changes.get(0)) && happens(3 * USUAL_CHANCE);
                return dropped
                        ? CompletableFuture.completedFuture(List.of(WriteOutcome.APPLIED))
                        : super.apply(lane, changes, callerWaits);
            }
        };
    }

    private static boolean isUpdate(Change change) {
        Entry next = change.next();
        return next != null && next.state() == LeaseState.HELD && !isRenewal(next);
    }

    private static boolean happens(double chance) {
        return ThreadLocalRandom.current().nextDouble() < chance;
    }

    @Override
    public StoreTraits traits() {
        return port.traits();
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
        return port.apply(lane, changes, callerWaits);
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
