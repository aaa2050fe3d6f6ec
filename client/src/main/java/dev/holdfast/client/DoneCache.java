package dev.holdfast.client;

import dev.holdfast.internal.Check;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a server said are done: an acquire of one is refused without asking again. This is the one exception to the
 * rule that a refusal needs an answer given after the question, and so it is made only if asked for: somebody may have
 * reopened the key meanwhile, and until the age is over this client will not know. Nothing is ever granted by it.
 *
 * <p>Thread-safe.
 */
final class DoneCache {
    private final Runtime runtime;
    private final Bounds bounds;
    private final Map<Key, Seen> done = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Seen> eldest) {
            return size() > bounds.size();
        }
    };

    DoneCache(Runtime runtime, Bounds bounds) {
        this.runtime = runtime;
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
            Check.positive("done-cache-age", age, Duration.ofDays(7));
        }
    }

    private record Seen(Instant doneAt, long askedNanos) {}

    synchronized Optional<Instant> doneAt(Key key) {
        Seen seen = done.get(key);
        if (seen == null) {
            return Optional.empty();
        }
        if (runtime.nanos() - seen.askedNanos() >= bounds.age().toNanos()) {
            done.remove(key);
            return Optional.empty();
        }
        return Optional.of(seen.doneAt());
    }

    /** @param askedNanos when the question was sent whose answer this is: it may be no younger */
    synchronized void note(Key key, Instant doneAt, long askedNanos) {
        done.put(key, new Seen(doneAt, askedNanos));
    }

    /** Somebody here wants the key not to be done. */
    synchronized void forget(Key key) {
        done.remove(key);
    }
}
