package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reader of keys, in batches. Keys that are requested while a read is under way form the next batch. Requests for
 * one key share a read, if it is sent after all of them.
 */
final class BatchReader {
    private final AsyncStore store;
    private final EntryCache cache;
    private final PipelineClock clock;
    private final int batchLimit;
    private final Map<Key, CompletableFuture<ObservedEntry>> wanted = new LinkedHashMap<>();
    private boolean busy;

    BatchReader(AsyncStore store, EntryCache cache, PipelineClock clock) {
        this.store = store;
        this.cache = cache;
        this.clock = clock;
        this.batchLimit = store.traits().batchLimit();
    }

    /** Reads {@code keys} together, each by a question that is sent after this call began. */
    Map<Key, CompletableFuture<ObservedEntry>> read(Set<Key> keys) {
        Map<Key, CompletableFuture<ObservedEntry>> reads = new LinkedHashMap<>();
        synchronized (this) {
            for (Key key : keys) {
                reads.put(key, wanted.computeIfAbsent(key, k -> new CompletableFuture<>()));
            }
        }
        pump();
        return reads;
    }

    /** Reads {@code key}, by a question that is sent after this call began. */
    CompletableFuture<ObservedEntry> read(Key key) {
        return Objects.requireNonNull(read(Set.of(key)).get(key));
    }

    private void pump() {
        while (true) {
            Map<Key, CompletableFuture<ObservedEntry>> batch;
            synchronized (this) {
                if (busy || wanted.isEmpty()) {
                    return;
                }
                busy = true;
                batch = take();
            }
            long asked = clock.nextPlace();
            List<Key> keys = List.copyOf(batch.keySet());
            CompletableFuture<List<Optional<StoredEntry>>> answer = Futures.contain(() -> store.read(keys));
            if (answer.isDone()) {
                Futures.whenDone(answer, (found, error) -> deliver(batch, asked, found, error));
            } else {
                Futures.whenDone(answer, (found, error) -> {
                    deliver(batch, asked, found, error);
                    pump();
                });
                return;
            }
        }
    }

    private Map<Key, CompletableFuture<ObservedEntry>> take() {
        Map<Key, CompletableFuture<ObservedEntry>> batch = new LinkedHashMap<>();
        Iterator<Map.Entry<Key, CompletableFuture<ObservedEntry>>> next =
                wanted.entrySet().iterator();
        while (next.hasNext() && batch.size() < batchLimit) {
            Map.Entry<Key, CompletableFuture<ObservedEntry>> read = next.next();
            batch.put(read.getKey(), read.getValue());
            next.remove();
        }
        return batch;
    }

    private void deliver(
            Map<Key, CompletableFuture<ObservedEntry>> batch,
            long asked,
            @Nullable List<Optional<StoredEntry>> found,
            @Nullable Throwable error) {
        try {
            CallbackThread.run(() -> {
                if (found == null || found.size() != batch.size()) {
                    Throwable cause =
                            error == null ? new IllegalStateException(found + " for " + batch.keySet()) : error;
                    batch.values().forEach(future -> future.completeExceptionally(StoreFailures.of(cause)));
                } else {
                    complete(batch, asked, found);
                }
            });
        } finally {
            synchronized (this) {
                busy = false;
            }
        }
    }

    private void complete(
            Map<Key, CompletableFuture<ObservedEntry>> batch, long asked, List<Optional<StoredEntry>> found) {
        long nanos = clock.nanos();
        List<Map.Entry<Key, CompletableFuture<ObservedEntry>>> reads = new ArrayList<>(batch.entrySet());
        for (int i = 0; i < reads.size(); i++) {
            Key key = reads.get(i).getKey();
            reads.get(i)
                    .getValue()
                    .complete(cache.note(key, found.get(i).orElse(null), asked, clock.nextPlace(), nanos));
        }
    }
}
