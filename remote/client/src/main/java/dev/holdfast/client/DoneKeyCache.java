package dev.holdfast.client;

import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.support.PagedStatuses;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of keys that a server reported as done. An acquire of such a key is refused without a request. This is the
 * only exception to the rule that a refusal needs a response to a request sent after the call. It must therefore be
 * enabled explicitly. If the key is reopened, this client does not notice until the cached entry is too old. The cache
 * never grants anything.
 *
 * <p>Thread-safe.
 */
final class DoneKeyCache {
    private static final Logger log = LoggerFactory.getLogger(DoneKeyCache.class);

    private final LongSupplier nanos;
    private final Bounds bounds;
    private final Map<Key, Seen> done = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Seen> eldest) {
            return size() > bounds.size();
        }
    };

    DoneKeyCache(LongSupplier nanos, Bounds bounds) {
        this.nanos = nanos;
        this.bounds = bounds;
    }

    /**
     * The bounds of the cache.
     *
     * @param age the age after which the server is queried again
     * @param preload the namespace prefix of the done keys to read when the client opens; null for none
     */
    record Bounds(int size, Duration age, @Nullable String preload) {
        /** The bounds of a cache that keeps nothing. */
        static final Bounds NONE = new Bounds(0, Duration.ofMinutes(1), null);

        Bounds {
            ArgumentCheck.positive("done-cache-age", age, Duration.ofDays(7));
        }
    }

    private record Seen(Instant doneAt, long sentNanos) {}

    synchronized Optional<Instant> doneAt(Key key) {
        Seen seen = done.get(key);
        if (seen == null) {
            return Optional.empty();
        }
        if (nanos.getAsLong() - seen.sentNanos() >= bounds.age().toNanos()) {
            done.remove(key);
            return Optional.empty();
        }
        return Optional.of(seen.doneAt());
    }

    /** @param sentNanos when the request of this response was sent; the age counts from then */
    synchronized void note(Key key, Instant doneAt, long sentNanos) {
        done.put(key, new Seen(doneAt, sentNanos));
    }

    /** Reads the keys that are already done, page by page, until all are read or the cache is full. */
    void preload(StatusLookup statusLookup) {
        if (bounds.preload() != null) {
            preload(statusLookup, LeaseFilter.namespacePrefix(bounds.preload()).state(LeaseState.DONE), null);
        }
    }

    private void preload(StatusLookup statusLookup, LeaseFilter filter, @Nullable String cursor) {
        long sentNanos = nanos.getAsLong();
        Futures.whenDone(
                statusLookup.list(filter, cursor, Math.min(PagedStatuses.SIZE, bounds.size())), (page, error) -> {
                    if (page == null) {
                        log.debug("the done keys of {} could not be read", filter.prefix(), error);
                        return;
                    }
                    page.entries().forEach(listed -> {
                        Instant doneAt = listed.status().entry().doneAt();
                        if (doneAt != null) {
                            note(listed.status().key(), doneAt, sentNanos);
                        }
                    });
                    if (page.cursor() != null && size() < bounds.size()) {
                        preload(statusLookup, filter, page.cursor());
                    }
                });
    }

    synchronized int size() {
        return done.size();
    }

    /** Removes a key, because this client requests an edit that may make it available again. */
    synchronized void remove(Key key) {
        done.remove(key);
    }
}
