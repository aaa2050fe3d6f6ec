package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.EntryStanding;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import dev.holdfast.support.RetryBackoff;
import java.time.Duration;
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

/** The reads that do not change keys. They resolve stored entries to their current standing, by expiry and anchors. */
public final class StatusReader {
    private final AsyncStore store;
    private final BatchReader reader;
    private final EntryCache cache;
    private final PipelineClock clock;
    private final DecisionRules rules;
    private final DeadlineTimer deadlines;
    private final RetryTimers retryTimers;
    private final Duration timeout;

    StatusReader(
            AsyncStore store,
            BatchReader reader,
            EntryCache cache,
            PipelineClock clock,
            DecisionRules rules,
            DeadlineTimer deadlines,
            RetryTimers retryTimers,
            Duration timeout) {
        this.store = store;
        this.reader = reader;
        this.cache = cache;
        this.clock = clock;
        this.rules = rules;
        this.deadlines = deadlines;
        this.retryTimers = retryTimers;
        this.timeout = timeout;
    }

    /**
     * An entry and its current standing.
     *
     * @param sinceBeat the least time since it was granted or last renewed; since its anchor was, if an anchor keeps it
     *     held
     */
    public record Resolved(Entry entry, EntryStanding standing, Duration sinceBeat) {}

    /** A page of entries, and the cursor of the next page. */
    public record ResolvedPage(
            List<Resolved> entries, @Nullable String cursor) {}

    /**
     * One key as it is now; empty if it has no entry. A key that was held through an anchor mostly still is, so the
     * known anchor is read together with it. A second read is needed only if the anchor is another one, or its answer
     * may be out of date.
     */
    public CompletableFuture<Optional<Resolved>> get(Key key) {
        ObservedEntry known = cache.get(key);
        Set<Key> keys = new LinkedHashSet<>(Set.of(key));
        anchorOf(known == null ? null : known.entry()).ifPresent(keys::add);
        return read(keys).thenCompose(found -> {
            ObservedEntry seen = Objects.requireNonNull(found.get(key));
            Optional<Key> anchor = anchorOf(seen.entry());
            Optional<Resolved> resolved = resolve(seen, anchor.map(found::get));
            boolean unseen =
                    resolved.isPresent() && resolved.get().standing().kind() == EntryStanding.Kind.ANCHOR_UNSEEN;
            return unseen && anchor.isPresent()
                    ? read(Set.of(anchor.get())).thenApply(later -> resolve(seen, anchor.map(later::get)))
                    : CompletableFuture.completedFuture(resolved);
        });
    }

    private static Optional<Key> anchorOf(@Nullable Entry entry) {
        return Optional.ofNullable(entry).map(Entry::heldThrough).map(AnchorRef::key);
    }

    private Optional<Resolved> resolve(ObservedEntry seen, Optional<ObservedEntry> anchor) {
        Entry entry = seen.entry();
        return entry == null ? Optional.empty() : Optional.of(resolve(entry, seen, anchor.orElse(null)));
    }

    /**
     * The entries of some keys as they are stored now, in a few reads. Keys without an entry are missing in the map.
     */
    public CompletableFuture<Map<Key, Entry>> stored(Set<Key> keys) {
        return read(keys).thenApply(found -> {
            Map<Key, Entry> entries = new HashMap<>();
            found.forEach((key, seen) -> {
                if (seen.entry() != null) {
                    entries.put(key, seen.entry());
                }
            });
            return entries;
        });
    }

    /** One page of entries. The anchors of all its entries are read in one batch. */
    public CompletableFuture<ResolvedPage> page(EntryScan entryScan) {
        long asked = clock.nextPlace();
        return scan(entryScan).thenCompose(scanPage -> resolve(scanPage, asked));
    }

    /** One page of entries as they are stored. */
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return retrying(() -> store.scan(entryScan));
    }

    private CompletableFuture<ResolvedPage> resolve(ScanPage scanPage, long asked) {
        Set<Key> anchors = new LinkedHashSet<>();
        List<ObservedEntry> seen = new ArrayList<>();
        for (StoredEntry storedEntry : scanPage.entries()) {
            seen.add(scanned(storedEntry, asked));
            AnchorRef anchor = storedEntry.entry().heldThrough();
            if (anchor != null) {
                anchors.add(anchor.key());
            }
        }
        return read(anchors).thenApply(found -> {
            List<Resolved> resolved = new ArrayList<>();
            for (int i = 0; i < seen.size(); i++) {
                Entry entry = scanPage.entries().get(i).entry();
                AnchorRef anchor = entry.heldThrough();
                resolved.add(resolve(entry, seen.get(i), anchor == null ? null : found.get(anchor.key())));
            }
            return new ResolvedPage(resolved, scanPage.cursor());
        });
    }

    private Resolved resolve(Entry entry, ObservedEntry seen, @Nullable ObservedEntry anchor) {
        ClockReading now = clock.reading();
        ObservedEntry kept = anchor == null ? seen : anchor;
        return new Resolved(entry, rules.standing(seen, anchor, now), rules.sinceBeat(kept, now));
    }

    /** Notes a scanned entry in the cache, for later decisions. */
    private ObservedEntry scanned(StoredEntry stored, long asked) {
        Key key = stored.entry().key();
        long now = clock.nanos();
        // Most keys of a long listing are done. They are rarely written again, and need no observation.
        boolean noted = stored.entry().state() != LeaseState.DONE || stored.age() == null;
        ObservedEntry scanned = ObservedEntry.of(stored, asked, clock.nextPlace(), now, noted ? cache.get(key) : null);
        if (noted) {
            cache.noteScanned(stored, asked, scanned.answered(), now);
        }
        return scanned;
    }

    private CompletableFuture<Map<Key, ObservedEntry>> read(Set<Key> keys) {
        return retrying(() -> readOnce(keys));
    }

    private CompletableFuture<Map<Key, ObservedEntry>> readOnce(Set<Key> keys) {
        Map<Key, CompletableFuture<ObservedEntry>> reads = reader.read(keys);
        return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<Key, ObservedEntry> found = new HashMap<>();
                    reads.forEach((key, seen) -> found.put(key, seen.join()));
                    return found;
                });
    }

    private <T> CompletableFuture<T> retrying(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        long deadlineNanos = clock.nanos() + timeout.toNanos();
        DeadlineTimer.Deadline deadline = deadlines.watch(
                deadlineNanos,
                () -> CallbackThread.run(() -> result.completeExceptionally(
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
                (value, error) -> CallbackThread.run(() -> {
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
            result.completeExceptionally(error); // A mistake of the caller, such as an invalid cursor.
            return;
        }
        StoreException failure = StoreFailures.of(error);
        Duration delay = RetryBackoff.RETRY.delay(attempt, clock.environment());
        boolean over = clock.nanos() + delay.toNanos() - deadlineNanos >= 0;
        if (over || !failure.isRetryable()) {
            result.completeExceptionally(failure);
        } else {
            retryTimers.pause(
                    delay, () -> attempt(call, result, attempt + 1, deadlineNanos), result::completeExceptionally);
        }
    }
}
