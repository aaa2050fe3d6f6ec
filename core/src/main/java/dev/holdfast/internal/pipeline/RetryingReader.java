package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import dev.holdfast.support.RetryBackoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reads of listings and of single keys. A read that fails is repeated until its time is over. */
public final class RetryingReader {
    private final AsyncStore store;
    private final BatchReader reader;
    private final EntryCache cache;
    private final PipelineClock clock;
    private final DeadlineTimer deadlines;
    private final RetryTimers retryTimers;
    private final Duration timeout;

    RetryingReader(
            AsyncStore store,
            BatchReader reader,
            EntryCache cache,
            PipelineClock clock,
            DeadlineTimer deadlines,
            RetryTimers retryTimers,
            Duration timeout) {
        this.store = store;
        this.reader = reader;
        this.cache = cache;
        this.clock = clock;
        this.deadlines = deadlines;
        this.retryTimers = retryTimers;
        this.timeout = timeout;
    }

    /** A page of entries, and the cursor of the next page. */
    public record ObservedPage(
            List<ObservedEntry> entries, @Nullable String cursor) {}

    /** The answers of the store about some keys, in a few reads that are sent after this call began. */
    public CompletableFuture<Map<Key, ObservedEntry>> read(Set<Key> keys) {
        return retrying(() -> {
            Map<Key, CompletableFuture<ObservedEntry>> reads = reader.read(keys);
            return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                    .thenApply(all -> {
                        Map<Key, ObservedEntry> found = new HashMap<>();
                        reads.forEach((key, seen) -> found.put(key, seen.join()));
                        return found;
                    });
        });
    }

    /** One page of entries. They are noted in the cache, for later decisions. */
    public CompletableFuture<ObservedPage> observe(EntryScan entryScan) {
        long asked = clock.nextPlace();
        return scan(entryScan)
                .thenApply(page -> new ObservedPage(
                        page.entries().stream().map(it -> note(it, asked)).toList(), page.cursor()));
    }

    private ObservedEntry note(StoredEntry stored, long asked) {
        long now = clock.nanos();
        // Most keys of a long listing are done. They are rarely written again, and need no observation.
        boolean noted = stored.entry().state() != LeaseState.DONE || stored.age() == null;
        ObservedEntry before = noted ? cache.get(stored.entry().key()) : null;
        ObservedEntry scanned = ObservedEntry.of(stored, asked, clock.nextPlace(), now, before);
        if (noted) {
            cache.noteScanned(stored, asked, scanned.answered(), now);
        }
        return scanned;
    }

    /** One page of entries as they are stored. */
    public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
        return retrying(() -> store.scan(entryScan));
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
