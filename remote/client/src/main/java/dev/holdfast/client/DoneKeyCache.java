package dev.holdfast.client;

import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.internal.ArgumentCheck;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.PagedStatuses;
import dev.holdfast.internal.client.StatusLookup;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that a server said are done: an acquire of one is refused without asking again. This is the one exception to the
 * rule that a refusal needs an answer given after the question, and so it is made only if asked for: somebody may have
 * reopened the key meanwhile, and until the age is over this client will not know. Nothing is ever granted by it.
 *
 * <p>Thread-safe.
 */
final class DoneKeyCache {
    private static final Logger log = LoggerFactory.getLogger(DoneKeyCache.class);

    private final HostEnvironment hostEnvironment;
    private final Bounds bounds;
    private final Map<Key, Seen> done = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Seen> eldest) {
            return size() > bounds.size();
        }
    };

    DoneKeyCache(HostEnvironment hostEnvironment, Bounds bounds) {
        this.hostEnvironment = hostEnvironment;
        this.bounds = bounds;
    }

    /**
     * How much, and for how long.
     *
     * @param age after which a key is asked for again
     * @param preload the prefix of the namespaces whose done keys are read when the client opens; null for none
     */
    record Bounds(int size, Duration age, @Nullable String preload) {
        Bounds {
            ArgumentCheck.positive("done-cache-age", age, Duration.ofDays(7));
        }
    }

    private record Seen(Instant doneAt, long askedNanos) {}

    synchronized Optional<Instant> doneAt(Key key) {
        Seen seen = done.get(key);
        if (seen == null) {
            return Optional.empty();
        }
        if (hostEnvironment.nanos() - seen.askedNanos() >= ArgumentCheck.cappedNanos(bounds.age())) {
            done.remove(key);
            return Optional.empty();
        }
        return Optional.of(seen.doneAt());
    }

    /** @param askedNanos when the question was sent whose answer this is: it may be no younger */
    synchronized void note(Key key, Instant doneAt, long askedNanos) {
        done.put(key, new Seen(doneAt, askedNanos));
    }

    /** Reads what is done already, page by page, until all is read or the cache is full. */
    void preload(StatusLookup statusLookup) {
        if (bounds.preload() != null) {
            preload(statusLookup, LeaseFilter.namespacePrefix(bounds.preload()).state(LeaseState.DONE), null);
        }
    }

    private void preload(StatusLookup statusLookup, LeaseFilter filter, @Nullable String cursor) {
        long askedNanos = hostEnvironment.nanos();
        Futures.whenDone(
                statusLookup.page(filter, cursor, Math.min(PagedStatuses.SIZE, bounds.size())), (page, error) -> {
                    if (page == null) {
                        log.debug("the done keys of {} could not be read", filter.prefix(), error);
                        return;
                    }
                    page.statuses().forEach(status -> note(status, askedNanos));
                    if (page.cursor() != null && size() < bounds.size()) {
                        preload(statusLookup, filter, page.cursor());
                    }
                });
    }

    private void note(LeaseStatus status, long askedNanos) {
        Instant doneAt = status.entry().doneAt();
        if (doneAt != null) {
            note(status.key(), doneAt, askedNanos);
        }
    }

    synchronized int size() {
        return done.size();
    }

    /** Somebody here wants the key not to be done. */
    synchronized void forget(Key key) {
        done.remove(key);
    }
}
