package dev.holdfast.internal.engine;

import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Rules;
import dev.holdfast.internal.rules.Sighting;
import dev.holdfast.internal.rules.Standing;
import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at keys without changing them, and resolves what is stored to how it stands: expiry, and anchors. */
public final class Survey {
    private final Engine engine;
    private final Duration timeout;

    public Survey(Engine engine, Duration timeout) {
        this.engine = engine;
        this.timeout = timeout;
    }

    /**
     * An entry, and how it stands.
     *
     * @param sinceBeat how long ago, at least, it was granted or last renewed; by its anchor, if that keeps it held
     */
    public record Resolved(Entry entry, Standing standing, Duration sinceBeat) {}

    /** Some entries, and where the next page begins. */
    public record ResolvedPage(
            List<Resolved> entries, @Nullable String cursor) {}

    /**
     * One key as it is now; empty if there is no entry. One that is held through an anchor mostly still is: so the anchor
     * that we know of is asked for together with it, and only another one, or one that may be out of date, by itself.
     */
    public CompletableFuture<Optional<Resolved>> get(Key key) {
        Seen known = engine.seen(key);
        Set<Key> keys = new LinkedHashSet<>(Set.of(key));
        anchorOf(known == null ? null : known.entry()).ifPresent(keys::add);
        return look(keys).thenCompose(found -> {
            Sighting seen = Objects.requireNonNull(found.get(key));
            Optional<Key> anchor = anchorOf(seen.entry());
            Optional<Resolved> resolved = resolve(seen, anchor.map(found::get));
            boolean unseen = resolved.isPresent() && resolved.get().standing().kind() == Standing.Kind.ANCHOR_UNSEEN;
            return unseen && anchor.isPresent()
                    ? look(Set.of(anchor.get())).thenApply(later -> resolve(seen, anchor.map(later::get)))
                    : CompletableFuture.completedFuture(resolved);
        });
    }

    private static Optional<Key> anchorOf(@Nullable Entry entry) {
        return Optional.ofNullable(entry).map(Entry::heldThrough).map(AnchorRef::key);
    }

    private Optional<Resolved> resolve(Sighting seen, Optional<Sighting> anchor) {
        Entry entry = seen.entry();
        return entry == null ? Optional.empty() : Optional.of(resolve(entry, seen, anchor.orElse(null)));
    }

    /** The entries of some keys as they are stored now, in a few reads; none for a key that has none. */
    public CompletableFuture<Map<Key, Entry>> stored(Set<Key> keys) {
        return look(keys).thenApply(found -> {
            Map<Key, Entry> entries = new HashMap<>();
            found.forEach((key, seen) -> {
                if (seen.entry() != null) {
                    entries.put(key, seen.entry());
                }
            });
            return entries;
        });
    }

    /** One page, with the anchors of all its entries read in one batch. */
    public CompletableFuture<ResolvedPage> page(Scan scan) {
        long asked = engine.nextPlace();
        return scan(scan).thenCompose(page -> resolve(page, asked));
    }

    /** One page as it is stored. */
    public CompletableFuture<Page> scan(Scan scan) {
        return retrying(() -> engine.port().scan(scan));
    }

    private CompletableFuture<ResolvedPage> resolve(Page page, long asked) {
        Set<Key> anchors = new LinkedHashSet<>();
        List<Sighting> seen = new ArrayList<>();
        for (Stored stored : page.entries()) {
            seen.add(engine.noteScanned(stored, asked));
            AnchorRef anchor = stored.entry().heldThrough();
            if (anchor != null) {
                anchors.add(anchor.key());
            }
        }
        return retrying(() -> engine.look(anchors)).thenApply(found -> {
            List<Resolved> resolved = new ArrayList<>();
            for (int i = 0; i < seen.size(); i++) {
                Entry entry = page.entries().get(i).entry();
                AnchorRef anchor = entry.heldThrough();
                resolved.add(resolve(entry, seen.get(i), anchor == null ? null : found.get(anchor.key())));
            }
            return new ResolvedPage(resolved, page.cursor());
        });
    }

    private Resolved resolve(Entry entry, Sighting seen, @Nullable Sighting anchor) {
        Rules rules = engine.book().rules();
        Instant now = engine.now();
        Sighting kept = anchor == null ? seen : anchor;
        return new Resolved(entry, rules.standing(seen, anchor, now), rules.sinceBeat(kept, now));
    }

    private CompletableFuture<Map<Key, Sighting>> look(Set<Key> keys) {
        return retrying(() -> engine.look(keys));
    }

    private <T> CompletableFuture<T> retrying(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        long deadlineNanos = engine.nanos() + timeout.toNanos();
        Deadlines.Deadline deadline = engine.deadlines()
                .watch(
                        deadlineNanos,
                        () -> Delivery.run(() -> result.completeExceptionally(
                                StoreException.notApplied("no answer from the store in time", null))));
        Futures.whenDone(result, (value, error) -> deadline.cancel());
        attempt(call, result, 0, deadlineNanos);
        return result;
    }

    private <T> void attempt(
            Supplier<CompletableFuture<T>> call, CompletableFuture<T> result, int attempt, long deadlineNanos) {
        if (result.isDone()) {
            return;
        }
        Futures.whenDone(
                Futures.contain(call),
                (value, error) -> Delivery.run(() -> {
                    if (error == null) {
                        result.complete(value);
                    } else {
                        failed(Futures.cause(error), call, result, attempt, deadlineNanos);
                    }
                }));
    }

    private <T> void failed(
            Throwable error,
            Supplier<CompletableFuture<T>> call,
            CompletableFuture<T> result,
            int attempt,
            long deadlineNanos) {
        if (error instanceof IllegalArgumentException) {
            result.completeExceptionally(error); // The caller's, such as a cursor that is none.
            return;
        }
        StoreException failure = Failures.of(error);
        Duration delay = Backoff.RETRY.delay(attempt, engine.runtime());
        boolean over = engine.nanos() + delay.toNanos() - deadlineNanos >= 0;
        if (over || !failure.isRetryable()) {
            result.completeExceptionally(failure);
        } else {
            engine.rests()
                    .rest(
                            delay,
                            () -> attempt(call, result, attempt + 1, deadlineNanos),
                            result::completeExceptionally);
        }
    }
}
