package dev.holdfast.sim;

import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.model.Key;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ports that say more than they know. */
final class BadPorts {
    /** The writes by which the engine keeps late changes out. */
    private static final Set<Change> BARS = ConcurrentHashMap.newKeySet();

    private BadPorts() {}

    static void noteBar(Change bar) {
        BARS.add(bar);
    }

    /** Says "not applied" when nobody knows. */
    static StorePort unknownIsNo(StorePort port) {
        return wrap(port, changes -> {
            CompletableFuture<List<Outcome>> result = new CompletableFuture<>();
            Futures.whenDone(port.apply(0, changes), (outcomes, error) -> {
                if (error == null) {
                    result.complete(Objects.requireNonNull(outcomes));
                } else {
                    result.completeExceptionally(StoreException.notApplied("surely not", error));
                }
            });
            return result;
        });
    }

    /** Where the engine writes to keep a late change out, only looks, and finds that it is not there yet. */
    static StorePort readsInsteadOfBarring(StorePort port) {
        return wrap(port, changes -> {
            List<Key> keys = changes.stream().map(Change::key).toList();
            return changes.stream().noneMatch(BARS::contains)
                    ? port.apply(0, changes)
                    : port.read(keys).thenApply(found -> asIfWritten(changes, found));
        });
    }

    private static List<Outcome> asIfWritten(List<Change> changes, List<Optional<Stored>> found) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            @Nullable
            Version version =
                    found.get(i).map(stored -> stored.entry().version()).orElse(null);
            boolean asExpected = Objects.equals(version, changes.get(i).expected());
            outcomes.add(
                    asExpected ? Outcome.APPLIED : Outcome.conflict(found.get(i).orElse(null)));
        }
        return outcomes;
    }

    private static StorePort wrap(StorePort port, Function<List<Change>, CompletableFuture<List<Outcome>>> apply) {
        return new StorePort() {
            @Override
            public StoreTraits traits() {
                return port.traits();
            }

            @Override
            public CompletableFuture<List<Outcome>> apply(int lane, List<Change> changes) {
                return apply.apply(changes);
            }

            @Override
            public CompletableFuture<List<Optional<Stored>>> read(List<Key> keys) {
                return port.read(keys);
            }

            @Override
            public CompletableFuture<Page> scan(Scan scan) {
                return port.scan(scan);
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
