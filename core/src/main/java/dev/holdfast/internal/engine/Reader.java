package dev.holdfast.internal.engine;

import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Stored;
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
 * Reads keys in batches: what is asked for while a read is under way goes together as the next one. Those who ask for
 * one key share the answer, if it was sent for after all of them asked.
 */
final class Reader {
    private final Engine engine;
    private final int batchLimit;
    private final Map<Key, CompletableFuture<Seen>> wanted = new LinkedHashMap<>();
    private boolean busy;

    Reader(Engine engine, int batchLimit) {
        this.engine = engine;
        this.batchLimit = batchLimit;
    }

    /** What the store says of each of {@code keys}, after this call; asked for together. */
    Map<Key, CompletableFuture<Seen>> look(Set<Key> keys) {
        Map<Key, CompletableFuture<Seen>> looks = new LinkedHashMap<>();
        synchronized (this) {
            for (Key key : keys) {
                looks.put(key, wanted.computeIfAbsent(key, k -> new CompletableFuture<>()));
            }
        }
        pump();
        return looks;
    }

    /** What the store says of {@code key}, after this call. */
    CompletableFuture<Seen> look(Key key) {
        return Objects.requireNonNull(look(Set.of(key)).get(key));
    }

    private void pump() {
        while (true) {
            Map<Key, CompletableFuture<Seen>> batch;
            synchronized (this) {
                if (busy || wanted.isEmpty()) {
                    return;
                }
                busy = true;
                batch = take();
            }
            long asked = engine.nextPlace();
            List<Key> keys = List.copyOf(batch.keySet());
            CompletableFuture<List<Optional<Stored>>> answer =
                    Futures.contain(() -> engine.port().read(keys));
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

    private Map<Key, CompletableFuture<Seen>> take() {
        Map<Key, CompletableFuture<Seen>> batch = new LinkedHashMap<>();
        Iterator<Map.Entry<Key, CompletableFuture<Seen>>> next =
                wanted.entrySet().iterator();
        while (next.hasNext() && batch.size() < batchLimit) {
            Map.Entry<Key, CompletableFuture<Seen>> look = next.next();
            batch.put(look.getKey(), look.getValue());
            next.remove();
        }
        return batch;
    }

    private void deliver(
            Map<Key, CompletableFuture<Seen>> batch,
            long asked,
            @Nullable List<Optional<Stored>> found,
            @Nullable Throwable error) {
        try {
            Delivery.run(() -> {
                if (found == null || found.size() != batch.size()) {
                    Throwable cause =
                            error == null ? new IllegalStateException(found + " for " + batch.keySet()) : error;
                    batch.values().forEach(future -> future.completeExceptionally(Failures.of(cause)));
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

    private void complete(Map<Key, CompletableFuture<Seen>> batch, long asked, List<Optional<Stored>> found) {
        long nanos = engine.nanos();
        List<Map.Entry<Key, CompletableFuture<Seen>>> looks = new ArrayList<>(batch.entrySet());
        for (int i = 0; i < looks.size(); i++) {
            Key key = looks.get(i).getKey();
            looks.get(i).getValue().complete(engine.note(key, found.get(i).orElse(null), asked, nanos));
        }
    }
}
