package dev.holdfast.dynamodb.table;

import dev.holdfast.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Cache of properties of recently seen items, by version. An item never changes under its version, so nothing here is
 * ever stale. Bounded; a missing item costs a read, or a larger write.
 *
 * <p>Thread-safe.
 */
public final class VersionCache<T> {
    /** As many as the request pipeline caches entries by default, so that the two seldom disagree. */
    private static final int MOST = 16_384;

    private final Map<Version, T> seen = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, T> eldest) {
            return size() > MOST;
        }
    };

    public synchronized void put(Version version, T properties) {
        seen.put(version, properties);
    }

    public synchronized Optional<T> find(Version version) {
        return Optional.ofNullable(seen.get(version));
    }

    /** No item can return to a version that a write of ours has replaced. */
    public synchronized void forget(Version version) {
        seen.remove(version);
    }
}
